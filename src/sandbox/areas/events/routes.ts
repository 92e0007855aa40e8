import { ownValue } from "../../own-value.ts";
import { canSeeProject } from "../../server/access.ts";
import { page, pageParams } from "../../server/pagination.ts";
import { date, fallback, oneOf, type Param, required, string, type Values } from "../../server/params.ts";
import { notFound } from "../../server/problem.ts";
import type { Area, Router } from "../../server/router.ts";
import {
  type ActivityEvent,
  type EventNote,
  events,
  type Project,
  projects,
  type User,
  users,
} from "../../store/model.ts";
import { DAY_MS } from "../../store/time.ts";
import type { World } from "../../store/world.ts";
import { briefUser, showsProfile } from "../users/view.ts";
import { seedActivity } from "./seed.ts";

/** Events older than this are deleted (2-collaboration-identity-api: Limits). */
const RETENTION_YEARS = 3;

const readable = ["read_user"] as const;

/** Activity events: 2-collaboration-identity-api: Events API. */
export const eventsArea: Area = {
  name: "events",
  seed: seedActivity,
  routes(router) {
    ownEvents(router);
    userEvents(router);
    projectEvents(router);
  },
};

/**
 * Words of the `action` filter and the action names that each selects. The documents do not list the words, so the
 * action names themselves are accepted too.
 */
const actions: Readonly<Record<string, readonly string[]>> = {
  approved: ["approved"],
  closed: ["closed"],
  commented: ["commented on"],
  created: ["created", "opened"],
  destroyed: ["destroyed", "deleted"],
  expired: ["expired"],
  joined: ["joined"],
  left: ["left"],
  merged: ["accepted"],
  opened: ["opened"],
  pushed: ["pushed"],
  reopened: ["reopened"],
  updated: ["updated"],
};

const targetTypes: Readonly<Record<string, string>> = {
  issue: "Issue",
  merge_request: "MergeRequest",
  milestone: "Milestone",
  note: "Note",
  project: "Project",
  snippet: "Snippet",
  user: "User",
};

const filters = {
  action: keyOf(actions),
  target_type: keyOf(targetTypes),
  before: date(),
  after: date(),
  sort: fallback(oneOf(["asc", "desc"]), "desc"),
};

/** The value of a filter word; words are lower case, so `Issue` is refused. */
function keyOf(words: Readonly<Record<string, unknown>>): Param<string | undefined> {
  return oneOf(Object.keys(words));
}

function ownEvents(router: Router): void {
  const params = { ...pageParams, ...filters, scope: oneOf(["all"]) };
  router.on("GET /events", { params, scopes: readable }, (call) => {
    const { world, user: caller, params } = call;
    const sees = createSight(world, caller);
    const mine = (event: ActivityEvent) => event.author_id === caller.id;
    const chosen = params.scope !== "all" ? mine : world.asDeployed ? amongNewest(world, sees) : sees;
    return page(call, select(world, params, chosen), (event) => view(world, event, call.origin), true);
  });
}

function userEvents(router: Router): void {
  const params = { ...pageParams, ...filters, id: required(string()) };
  router.on("GET /users/:id/events", { params, scopes: readable, deployed: { dotless: true } }, (call) => {
    const { world, user: caller, params } = call;
    const author = findUser(world, params.id);
    if (author === undefined) throw notFound("User");
    const sees = createSight(world, caller);
    const isShown = !world.asDeployed || showsProfile(author, caller);
    const chosen = (event: ActivityEvent) => isShown && event.author_id === author.id && sees(event);
    return page(call, select(world, params, chosen), (event) => view(world, event, call.origin), true);
  });
}

function projectEvents(router: Router): void {
  const access = { project: "guest", public: true } as const;
  const params = { ...pageParams, ...filters };
  router.on("GET /projects/:project_id/events", { access, params, scopes: ["read_api", ...readable] }, (call) => {
    const { world, project, params } = call;
    const rows = select(world, params, (event) => event.project_id === project.id);
    return page(call, rows, (event) => view(world, event, call.origin, true), true);
  });
}

/** Real instances look only at the newest events of all projects, before they filter. */
function amongNewest(world: World, sees: (event: ActivityEvent) => boolean): (event: ActivityEvent) => boolean {
  const newest = world.store
    .table(events)
    .where(sees)
    .sort((a, b) => b.id - a.id)
    .slice(0, 20);
  const ids = new Set(newest.map(({ id }) => id));
  return ({ id }) => ids.has(id);
}

function findUser(world: World, idOrName: string): User | undefined {
  const table = world.store.table(users);
  if (/^\d+$/.test(idOrName)) return table.get(Number(idOrName));
  return table.find((user) => user.username.toLowerCase() === idOrName.toLowerCase());
}

/** Whether the caller may see an event: its project must be visible to them. */
function createSight(world: World, caller: User): (event: ActivityEvent) => boolean {
  const isVisible = (project: Project) => canSeeProject(world, caller, project);
  const ids = new Set(
    world.store
      .table(projects)
      .where(isVisible)
      .map((project) => project.id),
  );
  return (event) => event.project_id === null || ids.has(event.project_id);
}

/** The events that match the filters, in order. Both dates exclude their own day. */
function select(
  world: World,
  params: Values<typeof filters>,
  chosen: (event: ActivityEvent) => boolean,
): ActivityEvent[] {
  const from = startOf(params.after, 1);
  const to = startOf(params.before, 0);
  const oldest = new Date(world.now());
  oldest.setUTCFullYear(oldest.getUTCFullYear() - RETENTION_YEARS);
  const kept = oldest.toISOString();
  const names = params.action === undefined ? undefined : ownValue(actions, params.action);
  const type = params.target_type === undefined ? undefined : ownValue(targetTypes, params.target_type);
  const rows = world.store
    .table(events)
    .where(
      (event) =>
        event.created_at >= kept &&
        (from === undefined || event.created_at >= from) &&
        (to === undefined || event.created_at < to) &&
        (names === undefined || names.includes(event.action_name)) &&
        (type === undefined || event.target_type === type) &&
        chosen(event),
    );
  const order = params.sort === "asc" ? 1 : -1;
  return rows.sort(
    (a, b) => order * (a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : a.id - b.id),
  );
}

function startOf(day: string | undefined, daysLater: number): string | undefined {
  return day === undefined ? undefined : new Date(Date.parse(`${day}T00:00:00Z`) + daysLater * DAY_MS).toISOString();
}

/**
 * Only the list of a project has the notes' `noteable_iid`, and `data`. `title` and `data` are always null, and real
 * instances no longer have them.
 */
function view(world: World, event: ActivityEvent, origin: string, inProject = false): Record<string, unknown> {
  const user = world.store.table(users).get(event.author_id);
  const { locked: _, ...author } = user === undefined ? { locked: false } : briefUser(user, origin);
  const { push_data } = event;
  return {
    id: event.id,
    ...(!world.asDeployed && { title: null }),
    project_id: event.project_id,
    action_name: event.action_name,
    target_id: event.target_id,
    target_iid: event.target_iid,
    target_type: event.target_type,
    author_id: event.author_id,
    target_title: event.target_title,
    created_at: event.created_at,
    author,
    imported: false,
    imported_from: "none",
    ...(push_data && { push_data }),
    ...(event.note && { note: viewNote(event.note, author, inProject) }),
    author_username: user?.username ?? null,
    ...(inProject && !world.asDeployed && { data: null }),
  };
}

function viewNote(note: EventNote, author: unknown, inProject: boolean): Record<string, unknown> {
  const { noteable_iid, ...shown } = note;
  return { ...shown, attachment: null, author, system: false, ...(inProject && { noteable_iid }) };
}
