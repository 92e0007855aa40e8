import { createHash } from "node:crypto";
import { type ActivityEvent, events, projects } from "../../store/model.ts";
import { createRandom, type Random } from "../../store/random.ts";
import { daysAgo } from "../../store/time.ts";
import type { World } from "../../store/world.ts";
import { people } from "../places/people.ts";
import { epics, issues, mergeRequests, type Note, type NoteableType, snippets } from "./model.ts";
import {
  epicPlan,
  hostileRemark,
  internalRemarks,
  longRemark,
  snippetTitles,
  systemNotes,
  threads,
  wideRemark,
} from "./talk.ts";
import { addNote, discussionIdOf } from "./threads.ts";

/** IDs of notes mentioned in documentation and tests start here; generated notes have higher IDs. */
const firstNamedNote = 300_001;
const firstOtherNote = 310_001;

/** Issues, merge requests, snippets, and epics with their notes, consistent with the activity seeded before. */
export function seedConversations(world: World): void {
  const feed = world.store.table(events).all();
  seedTargets(world, feed);
  for (const event of feed) if (event.note !== undefined) keepComment(world, event, event.note);
  seedSnippets(world);
  seedEpics(world);
  seedOtherThreads(world, feed);
  seedNamedThreads(world);
}

/** The opened issues and merge requests in their current state. */
function seedTargets(world: World, feed: readonly ActivityEvent[]): void {
  const done = new Set(
    feed
      .filter((event) => event.action_name === "closed" || event.action_name === "accepted")
      .map((event) => `${event.target_type} ${event.target_id}`),
  );
  for (const event of feed) {
    const { target_type: type, target_id: id, target_iid: iid, project_id } = event;
    if (event.action_name !== "opened" || id === null || iid === null || project_id === null) continue;
    const isDone = done.has(`${type} ${id}`);
    const { author_id, created_at } = event;
    const shared = { id, iid, project_id, author_id, created_at, title: event.target_title ?? "" };
    if (type === "Issue") world.store.table(issues).insert({ ...shared, state: isDone ? "closed" : "opened" });
    if (type !== "MergeRequest") continue;
    const state = isDone ? "merged" : "opened";
    world.store.table(mergeRequests).insert({ ...shared, state, head_sha: headOf(id) });
  }
}

function keepComment(world: World, event: ActivityEvent, note: NonNullable<ActivityEvent["note"]>): void {
  const { id, body, created_at } = note;
  const target = { type: note.noteable_type as NoteableType, id: note.noteable_id };
  addNote(world, target, { id, body, created_at, author_id: event.author_id, discussion_id: discussionIdOf(id) });
}

function seedSnippets(world: World): void {
  const random = createRandom(141_421);
  for (const { id } of world.store.table(projects).all()) {
    for (let n = 1; n <= 2; n += 1) {
      world.store.table(snippets).insert({
        id: id * 1000 + n,
        project_id: id,
        title: snippetTitles[(id + n) % snippetTitles.length] ?? "",
        author_id: random.pick([people.maintainer, people.developer, people.reporter]),
        created_at: daysAgo(world.now(), 20 + random.below(100)),
      });
    }
  }
}

/** Their IDs differ greatly from their IIDs, as on instances with many epics. */
function seedEpics(world: World): void {
  for (const [group_id, titles] of epicPlan) {
    for (const [index, title] of titles.entries()) {
      world.store.table(epics).insert({
        id: group_id * 100 + index + 1,
        group_id,
        iid: index + 1,
        title,
        author_id: people.planner,
        created_at: daysAgo(world.now(), 120 - index * 9),
      });
    }
  }
}

type Said = readonly [author: number, text: string, kind?: Partial<Note>];

/** Stores consecutive notes, one hour apart; with `thread`, as one thread. */
function addTalk(
  world: World,
  target: { readonly type: NoteableType; readonly id: number },
  notes: readonly Said[],
  { id, days, thread }: { id?: number; days: number; thread?: { resolved: boolean } },
): void {
  let discussion: string | undefined;
  for (const [index, [author_id, body, kind]] of notes.entries()) {
    const note = addNote(world, target, {
      ...(id !== undefined && { id: id + index }),
      author_id,
      body,
      created_at: daysAgo(world.now(), days - index / 24),
      ...(thread && { type: "DiscussionNote", resolved: thread.resolved }),
      ...(discussion !== undefined && { discussion_id: discussion }),
      ...kind,
    });
    if (thread !== undefined) discussion = note.discussion_id;
  }
}

/** Issue 28, merge request 19, and snippet 7001 of the storefront, and epic 104, which the documentation shows. */
function seedNamedThreads(world: World): void {
  const { maintainer, developer, reporter, planner, mallory, root } = people;
  const issue = { type: "Issue", id: 7028 } as const;
  const merge = { type: "MergeRequest", id: 7019 } as const;
  seedNamedTargets(world, issue.id, merge.id);
  const id = firstNamedNote;
  addTalk(
    world,
    issue,
    [
      [reporter, longRemark],
      [developer, wideRemark],
      [mallory, hostileRemark],
    ],
    { id, days: 6 },
  );
  addTalk(world, issue, [[maintainer, internalRemarks[0] ?? "", { internal: true }]], { id: id + 10, days: 5 });
  addTalk(world, issue, [[maintainer, systemNotes[0] ?? "", { system: true }]], { id: id + 20, days: 5.5 });
  const [question = [""], answered = [""]] = threads;
  const voices = [reporter, developer, maintainer];
  const told = (texts: readonly string[]) => texts.map((text, index): Said => [voices[index] ?? root, text]);
  addTalk(world, issue, told(question), { id: id + 30, days: 4, thread: { resolved: false } });
  addTalk(world, issue, told(answered), { id: id + 40, days: 3, thread: { resolved: true } });
  const pushed = `added 1 commit\n\n* ${headOf(merge.id)} - Reserve the space below`;
  addTalk(world, merge, [[developer, pushed, { system: true }]], { id: id + 50, days: 2 });
  addTalk(world, merge, [[maintainer, "Looks good, please squash."]], { id: id + 55, days: 1 });
  addTalk(world, merge, told(threads[0] ?? []), { id: id + 56, days: 1, thread: { resolved: false } });
  addTalk(world, { type: "Snippet", id: 7001 }, [[developer, "Works on my machine."]], { id: id + 60, days: 9 });
  addTalk(world, { type: "Snippet", id: 7001 }, told(threads[1] ?? []), {
    id: id + 70,
    days: 8,
    thread: { resolved: false },
  });
  const epic = { type: "Epic", id: 104 } as const;
  addTalk(world, epic, [[planner, "Not before May."]], { id: id + 80, days: 30 });
  addTalk(world, epic, [[maintainer, internalRemarks[2] ?? "", { internal: true }]], { id: id + 90, days: 29 });
  addTalk(world, epic, told(threads[5] ?? []), { id: id + 100, days: 28, thread: { resolved: false } });
}

function seedNamedTargets(world: World, issueId: number, mergeId: number): void {
  const created_at = daysAgo(world.now(), 7);
  world.store.table(issues).insert({
    id: issueId,
    project_id: 7,
    iid: 28,
    title: "The cookie banner covers the checkout button",
    author_id: people.reporter,
    state: "opened",
    created_at,
  });
  world.store.table(mergeRequests).insert({
    id: mergeId,
    project_id: 7,
    iid: 19,
    title: "Reserve space for the cookie banner",
    author_id: people.developer,
    state: "opened",
    head_sha: headOf(mergeId),
    created_at,
  });
}

function headOf(mergeRequestId: number): string {
  return createHash("sha1").update(`head of merge request ${mergeRequestId}`).digest("hex");
}

/** Some system notes, threads, and internal notes, by the members of each project. */
function seedOtherThreads(world: World, feed: readonly ActivityEvent[]): void {
  const random = createRandom(173_205);
  let id: number | undefined = firstOtherNote;
  const put = (type: NoteableType, target: number, notes: readonly Said[], thread?: { resolved: boolean }) => {
    const days = 1 + random.below(60);
    addTalk(world, { type, id: target }, notes, { days, ...(id !== undefined && { id }), ...(thread && { thread }) });
    id = undefined;
  };
  const authors = authorsByProject(feed);
  for (const issue of world.store.table(issues).all()) {
    const someone = () => random.pick(authors.get(issue.project_id) ?? [issue.author_id]);
    if (random.percent(60)) put("Issue", issue.id, [[someone(), random.pick(systemNotes), { system: true }]]);
    if (random.percent(40)) put("Issue", issue.id, talk(random, someone), { resolved: random.percent(50) });
    if (random.percent(12)) put("Issue", issue.id, [[someone(), random.pick(internalRemarks), { internal: true }]]);
  }
  for (const { id: target, project_id, author_id, head_sha } of world.store.table(mergeRequests).all()) {
    const author = random.pick(authors.get(project_id) ?? [author_id]);
    put("MergeRequest", target, [[author, `added 1 commit\n\n* ${head_sha} - Address the review`, { system: true }]]);
  }
}

function talk(random: Random, someone: () => number): Said[] {
  return random.pick(threads).map((text): Said => [someone(), text]);
}

function authorsByProject(feed: readonly ActivityEvent[]): Map<number, number[]> {
  const authors = new Map<number, number[]>();
  for (const { project_id, author_id } of feed) {
    if (project_id !== null) authors.set(project_id, [...(authors.get(project_id) ?? []), author_id]);
  }
  return authors;
}
