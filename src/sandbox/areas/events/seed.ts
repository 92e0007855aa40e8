import { lineage } from "../../server/access.ts";
import { type EventNote, members, type Project, projects, users } from "../../store/model.ts";
import { createRandom, type Random } from "../../store/random.ts";
import { DAY_MS, daysAgo } from "../../store/time.ts";
import type { NewEvent, World } from "../../store/world.ts";
import { comments, commitTitles, issueTitles, mergeTitles } from "../places/names.ts";

/** Length of the activity history, in days. */
const SPAN = 170;
/** In milliseconds. */

/** Months of pushes, issues, merge requests, and comments in every project, by its members. */
export function seedActivity(world: World): void {
  const random = createRandom(271_828);
  const drafts: NewEvent[] = [];
  for (const project of world.store.table(projects).all()) {
    const authors = authorsOf(world, project);
    if (authors.length > 0) drafts.push(...projectActivity(world, random, project, authors));
  }
  drafts.sort((a, b) => ((a.created_at ?? "") < (b.created_at ?? "") ? -1 : 1));
  for (const draft of drafts) world.record(draft);
}

/** Active human users who may write in a project, as members of it or of a parent group. */
function authorsOf(world: World, project: Project): number[] {
  const above = lineage(world, project.namespace_id).map((group) => group.id);
  const ids = world.store
    .table(members)
    .where(
      (member) =>
        member.access_level >= 20 &&
        (member.source_type === "group" ? above.includes(member.source_id) : member.source_id === project.id),
    )
    .map((member) => member.user_id);
  const people = world.store.table(users);
  return ids.filter((id) => people.get(id)?.kind === "human" && people.get(id)?.state === "active");
}

function projectActivity(world: World, random: Random, project: Project, authors: readonly number[]): NewEvent[] {
  const at = (days: number) => daysAgo(world.now(), days);
  // The storefront is the project shown in the documentation, and the busiest.
  const busy = project.id === 7 ? 3 : 1;
  const drafts: NewEvent[] = [];
  for (let i = 0; i < 28 * busy; i += 1) {
    drafts.push(push(random, project.id, random.pick(authors), at(workday(world, random, SPAN))));
  }
  const kinds = [
    { type: "Issue", titles: issueTitles, done: "closed", count: 9 * busy },
    { type: "MergeRequest", titles: mergeTitles, done: "accepted", count: 6 * busy },
  ];
  for (const { type, titles, done, count } of kinds) {
    for (let iid = 1; iid <= count; iid += 1) {
      const opened = workday(world, random, SPAN);
      const target = {
        project_id: project.id,
        target_id: project.id * 1000 + iid,
        target_iid: iid,
        target_type: type,
        target_title: titles[(iid + project.id) % titles.length] ?? titles[0] ?? "",
      };
      drafts.push({ ...target, author_id: random.pick(authors), action_name: "opened", created_at: at(opened) });
      drafts.push(...discussion(random, target, opened, { authors, at }));
      if (random.percent(55)) {
        const days = opened * random.below(90) * 0.01;
        drafts.push({ ...target, author_id: random.pick(authors), action_name: done, created_at: at(days) });
      }
    }
  }
  return drafts;
}

interface Target {
  readonly project_id: number;
  readonly target_id: number;
  readonly target_iid: number;
  readonly target_type: string;
  readonly target_title: string;
}

interface Cast {
  readonly authors: readonly number[];
  readonly at: (days: number) => string;
}

/** The comments on an issue or merge request, after it was opened. */
function discussion(random: Random, target: Target, opened: number, { authors, at }: Cast): NewEvent[] {
  return Array.from({ length: random.below(5) }, (_, index) => {
    const created_at = at(opened * (0.3 + random.below(69) / 100));
    const kind = target.target_type === "Issue" ? 0 : 1;
    const note: EventNote = {
      id: target.target_id * 20 + kind * 10 + index,
      body: random.pick(comments),
      created_at,
      noteable_id: target.target_id,
      noteable_type: target.target_type,
      noteable_iid: target.target_iid,
    };
    return {
      ...target,
      author_id: random.pick(authors),
      action_name: "commented on",
      target_id: note.id,
      target_iid: note.id,
      target_type: "Note",
      created_at,
      note,
    };
  });
}

function push(random: Random, project_id: number, author_id: number, created_at: string): NewEvent {
  const isTag = random.percent(6);
  const isNew = isTag || random.percent(12);
  return {
    author_id,
    project_id,
    action_name: "pushed",
    created_at,
    push_data: {
      commit_count: isTag ? 0 : 1 + random.below(6),
      action: isNew ? "created" : "pushed",
      ref_type: isTag ? "tag" : "branch",
      commit_from: isNew ? null : random.hex(40),
      commit_to: random.hex(40),
      ref: isTag
        ? `v1.${random.below(30)}.${random.below(9)}`
        : random.pick(["main", "main", "main", "develop", "fix/cart", "feature/search"]),
      commit_title: random.pick(commitTitles),
    },
  };
}

/** Days (with the time of day) before today, mostly on a weekday between 07:00 and 19:00. */
function workday(world: World, random: Random, span: number): number {
  const days = 1 + random.below(span);
  const weekday = new Date(world.now().getTime() - days * DAY_MS).getUTCDay();
  const quiet = (weekday === 0 || weekday === 6) && random.percent(85);
  const moved = quiet ? (weekday === 0 ? days + 2 : days + 1) : days;
  return moved - (7 + random.below(12) + random.below(3600) / 3600) / 24;
}
