import { endpoint } from "../endpoint.ts";
import {
  boolean,
  date,
  entity,
  id,
  integer,
  json,
  nullable,
  object,
  oneOf,
  required,
  sometimes,
  string,
  timestamp,
  uncut,
} from "../field.ts";
import { actionWord, targetWord } from "./event-words.ts";
import { selecting } from "./scope.ts";

/** An action of a user (`2-collaboration-identity-api: Event`). */
export const Event = entity("Event", {
  id: id("Event ID"),
  title: nullable(string()),
  project_id: integer(),
  action_name: string("Such as opened, closed, pushed to, commented on"),
  target_id: nullable(integer()),
  target_iid: nullable(integer()),
  target_type: nullable(string("Such as Issue, Note")),
  author_id: integer(),
  target_title: nullable(string()),
  created_at: required(timestamp()),
  author: object({
    name: string(),
    username: string(),
    id: id(),
    state: string(),
    avatar_url: nullable(string()),
    web_url: uncut(),
  }),
  author_username: string(),
  imported: boolean(),
  imported_from: string(),
  push_data: sometimes(
    object({
      commit_count: integer(),
      action: string(),
      ref_type: string(),
      commit_from: nullable(string()),
      commit_to: nullable(string()),
      ref: string(),
      commit_title: nullable(string()),
    }),
  ),
  note: sometimes(
    object({
      id: id(),
      body: string(),
      attachment: nullable(json()),
      author: json(),
      created_at: timestamp(),
      system: boolean(),
      noteable_id: integer(),
      noteable_type: string(),
      noteable_iid: sometimes(nullable(integer())),
    }),
  ),
  data: sometimes(nullable(json())),
});

/** The values of the filter `action`; events use other names for some of them: `pushed to`. */
const eventActions = [
  "approved",
  "closed",
  "commented",
  "created",
  "destroyed",
  "expired",
  "joined",
  "left",
  "merged",
  "pushed",
  "reopened",
  "updated",
] as const;

/** The values of the filter `target_type`. */
const eventTargets = [
  "design",
  "epic",
  "issue",
  "merge_request",
  "milestone",
  "note",
  "project",
  "snippet",
  "user",
  "wiki",
] as const;

/** Filters of events (`2-collaboration-identity-api: Events API`). Events older than 3 years are removed. */
export const eventKind = {
  action: string("Only this action, such as created, pushed, or commented", {
    ...selecting,
    suggests: eventActions,
    sent: (word) => actionWord(String(word)),
  }),
  target_type: string("Only this kind of target, such as issue or note", {
    ...selecting,
    suggests: eventTargets,
    sent: (word) => targetWord(String(word)),
  }),
};

/** The scopes that the documents name for the events of users. */
const reads = { scopes: ["read_user", "api"] } as const;

const eventFilters = {
  ...eventKind,
  before: date("Before this day, exclusive", { bound: "before" }),
  after: date("After this day, exclusive", { bound: "after" }),
  sort: oneOf(["asc", "desc"], "By time of creation; newest first unless asc"),
};

/** The source of the events: at most one of these. */
export const eventSource = {
  user: string("This user's events", { placeholder: "id|name", completes: "user" }),
  // No default scope: a default project would turn "my events" into something else.
  project: string("This project's events", { short: "p", placeholder: "id|path", completes: "project" }),
  scope: string("all: in all of your projects (only for your own events)", { ...selecting, suggests: ["all"] }),
};

/** Where instances stop counting events (events-counted-to). */
const countedTo = 10_000;

export const listOwnEvents = endpoint({
  route: "GET /events",
  summary: "List your own events",
  params: {
    ...eventFilters,
    scope: eventSource.scope,
  },
  returns: Event,
  page: "offset",
  hidesRows: true,
  countedTo,
  access: reads,
});

export const listUserEvents = endpoint({
  route: "GET /users/:user/events",
  summary: "List a user's events",
  params: { ...eventFilters, user: eventSource.user },
  returns: Event,
  page: "offset",
  hidesRows: true,
  countedTo,
  access: reads,
  dotless: true,
});

export const listProjectEvents = endpoint({
  route: "GET /projects/:project/events",
  summary: "List a project's events",
  params: {
    ...eventFilters,
    project: eventSource.project,
  },
  returns: Event,
  page: "offset",
  hidesRows: true,
  countedTo,
  access: reads,
});
