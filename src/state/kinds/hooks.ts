import type { AnyEndpoint } from "../../api/endpoint.ts";
import {
  beyondEventFlags,
  createHook,
  eventFlags,
  listHooks,
  removeHookHeader,
  strategies,
  updateHook,
} from "../../api/endpoints/hooks.ts";
import { wordsOf } from "../../api/json.ts";
import { holdsMask } from "../../base/secrets.ts";
import { normal } from "../fields/normal.ts";
import { isGiven } from "../keys.ts";
import type { Change, Kind, StateFields, Values } from "../kind.ts";
import type { Step } from "../step.ts";
import { readOnly } from "./read-only.ts";

const flagFields = { ...eventFlags, ...beyondEventFlags };
/** The documented ones. */
const flags = Object.keys(eventFlags);
/** The words of `events`: the flags without `_events`. */
const eventNames = Object.keys(flagFields).map((flag) => flag.replace(/_events$/, ""));

const fields: StateFields = {
  id: { form: "id", description: "Only if two hooks share a name and a URL" },
  url: {
    form: "text",
    required: true,
    schemes: ["http", "https"],
    description: "Address that receives the deliveries",
  },
  name: { form: "text" },
  description: { form: "text" },
  events: { form: "names", suggested: eventNames, description: "The complete list of events that it receives" },
  ...Object.fromEntries(
    Object.entries(flagFields).map(([name, { description }]) => [
      name,
      { form: "boolean", description, absent: false },
    ]),
  ),
  push_events_branch_filter: { form: "text" },
  branch_filter_strategy: { form: "text", values: strategies },
  enable_ssl_verification: { form: "boolean" },
  token: {
    form: "text",
    writeOnly: true,
    secret: true,
    description: "Secret that is sent with each delivery, for the receiver to verify",
  },
  custom_webhook_template: { form: "text" },
  custom_headers: {
    form: "keys",
    item: {
      key: { form: "text", required: true },
      value: { form: "text", required: true, writeOnly: true, secret: true },
    },
  },
  ...readOnly("group_id", "project_id", "created_at", "alert_status", "disabled_until", "signing_token_present"),
  token_present: { form: "boolean", readOnly: "recorded" },
  url_variables: { form: "json", readOnly: "recorded" },
};

/** The requests of the hooks of a group, or of a project. */
interface Requests {
  readonly list: AnyEndpoint;
  /** Reads one, where the list leaves out the headers. */
  readonly get?: AnyEndpoint;
  readonly create: AnyEndpoint;
  readonly update: AnyEndpoint;
  readonly removeHeader: AnyEndpoint;
}

/** Webhooks of a group or a project. A removal disables all events, since a hook's secrets could not be restored. */
export function hookKind(
  about: Pick<Kind, "name" | "summary"> &
    Partial<Pick<Kind, "section" | "spreads" | "beyond">> & { at: "group" | "project" },
  requests: Requests,
): Kind {
  return {
    ...about,
    form: "list",
    fields,
    keys: [["name"], ["url"]],
    alias: "url",
    alike: true,
    read: { endpoint: requests.list, ...(requests.get && { detail: detailOf(requests.get) }) },
    removal: "disarm",
    // Every flag of the live hook is an event, whether the documents name it or not.
    fieldOf: (name) => (isFlag(name) ? { form: "boolean", absent: false } : undefined),
    settle: ({ events, ...rest }, live, all) => {
      const chosen = Array.isArray(events) ? events.map((name) => `${wordsOf(name)}_events`) : [];
      const unknown = [...chosen, ...Object.keys(rest).filter(isFlag)].filter((flag) => !isKnown(flag, all));
      const whole = Array.isArray(events) ? flagsOf(live).map((flag) => [flag, false] as const) : [];
      const on = chosen.map((flag) => [flag, true] as const);
      const values = { ...Object.fromEntries([...whole, ...on]), ...filterDropped(rest, live), ...rest };
      if (unknown.length === 0) return { values };
      return { values, problem: `neither the API documents nor the instance have ${unknown.join(", ")}` };
    },
    // A hook without events counts as removed.
    ignores: (live) => !flagsOf(live).some((flag) => isOn(live[flag])),
    condense: (values) => {
      const flags = flagsOf(values);
      const events = flags.filter((flag) => isOn(values[flag])).map((flag) => flag.replace(/_events$/, ""));
      return { ...without(values, flags), events };
    },
    takes: (write) => [
      ...(write.includes("url") ? ["token_present", "custom_headers", "url_variables"] : []),
      ...(write.includes("branch_filter_strategy") ? ["push_events_branch_filter"] : []),
    ],
    // On instances, a new URL drops all headers, and the token unless it is sent too.
    sentAlong: ({ desired, write }) => {
      const resent = write.includes("url") ? ["token", "custom_headers"] : [];
      return resent.filter((name) => desired?.values[name] !== undefined && !write.includes(name));
    },
    steps: (change) => {
      const place = { [about.at]: change.scope.name };
      const { desired, live, write, action, id } = change;
      if (action === "create") {
        return [{ endpoint: requests.create, input: { ...place, ...requested(pick(desired?.values ?? {}, write)) } }];
      }
      // Sent back, a mask would take the place of what it hides.
      const url = holdsMask(live?.values.url) ? (desired?.values.url ?? live?.values.url) : live?.values.url;
      const hook = { ...place, hook_id: id, url };
      if (action === "disarm") {
        const off = Object.fromEntries(flagsOf(live?.values).map((flag) => [flag, false]));
        return [{ endpoint: requests.update, input: { ...hook, ...requested(off) } }];
      }
      return [
        ...removedHeaders(change, requests),
        ...updates(requests, hook, requested(pick(desired?.values ?? {}, write))),
      ];
    },
    loses: ({ desired, live, write, action }) => {
      if (action === "create" || !write.includes("url")) return undefined;
      const headers = keysOf(live?.values.custom_headers).length > 0 ? ["custom_headers"] : [];
      const variables = keysOf(live?.values.url_variables).length > 0 ? ["url_variables"] : [];
      const lost = ["token", ...headers, ...variables].filter((name) => desired?.values[name] === undefined);
      return lost.length === 0 ? undefined : `a new url drops ${lost.join(" and ")}, which the file does not give`;
    },
    besides: ({ desired, write, action }) => {
      if (action !== "update" || !write.includes("branch_filter_strategy")) return undefined;
      const { branch_filter_strategy: strategy, push_events_branch_filter: filter } = desired?.values ?? {};
      if (strategy !== "all_branches" || !isGiven(filter)) return undefined;
      return "with branch_filter_strategy: all_branches, instances keep no push_events_branch_filter";
    },
  };
}

/** Headers and variables, which a new URL drops, whether a file has them or not. */
function detailOf(endpoint: AnyEndpoint) {
  return { endpoint, by: "id", as: "hook_id", for: "custom_headers", always: true } as const;
}

/** Group webhooks (`2-collaboration-identity-api: Group webhook`), which the documented API cannot delete. */
export const hooksKind: Kind = hookKind(
  {
    name: "hooks",
    at: "group",
    summary: "Webhooks of a group",
    spreads: "fire also for the groups below: one event, several deliveries",
  },
  { list: listHooks, create: createHook, update: updateHook, removeHeader: removeHookHeader },
);

/** With all branches, instances keep no filter (hook-filter-dropped): the plan says so, a rollback restores it. */
function filterDropped({ branch_filter_strategy: strategy }: Values, live: Values | undefined): Values {
  const isNew = strategy === "all_branches" && live !== undefined && live.branch_filter_strategy !== strategy;
  return isNew && isGiven(live.push_events_branch_filter) ? { push_events_branch_filter: "" } : {};
}

function isFlag(name: string): boolean {
  return /^[a-z][a-z_]*_events$/.test(name);
}

function isOn(value: unknown): boolean {
  return normal({ form: "boolean" }, value) === true;
}

/** The documented flags, and those that a newer instance adds. */
function flagsOf(...live: readonly (Values | undefined)[]): string[] {
  const named = live.flatMap((each) => Object.entries(each ?? {}));
  const added = named.filter(([name, value]) => isFlag(name) && isSwitch(value)).map(([name]) => name);
  return [...new Set([...flags, ...added])];
}

/** Whether the documents or a live hook have a flag; without hooks, whether instances are known to have it. */
function isKnown(flag: string, all: readonly Values[]): boolean {
  if (flags.includes(flag) || (all.length === 0 && Object.hasOwn(beyondEventFlags, flag))) return true;
  return isFlag(flag) && all.some((live) => Object.hasOwn(live, flag) && isSwitch(live[flag]));
}

function isSwitch(value: unknown): boolean {
  return value === null || typeof normal({ form: "boolean" }, value) === "boolean";
}

/** Flags that the documents do not name are sent beside the others. */
function requested(values: Values): Values {
  const more = Object.keys(values).filter((name) => isFlag(name) && !flags.includes(name));
  if (more.length === 0) return values;
  return { ...without(values, more), more_events: Object.fromEntries(more.map((name) => [name, values[name]])) };
}

function keysOf(headers: unknown): string[] {
  return normal({ form: "keys" }, headers) as string[];
}

/** Instances merge headers by key, and need a separate request to remove one (hook-headers-merged). */
function removedHeaders({ scope, id, desired, live, write }: Change, { removeHeader }: Requests): Step[] {
  if (!write.includes("custom_headers") || write.includes("url")) return [];
  const kept = new Set(keysOf(desired?.values.custom_headers));
  const removed = keysOf(live?.values.custom_headers).filter((key) => !kept.has(key));
  return removed.map((key) => ({
    endpoint: removeHeader,
    input: { [scope.at]: scope.name, hook_id: id, key },
    optional: true,
  }));
}

/** If the URL changes, headers are sent in a separate request, since the change drops them. */
function updates({ update: endpoint }: Requests, hook: Values, values: Values): Step[] {
  const { custom_headers: headers, ...rest } = values;
  if (headers === undefined || rest.url === undefined) return [{ endpoint, input: { ...hook, ...values } }];
  return [
    { endpoint, input: { ...hook, ...rest } },
    { endpoint, input: { ...hook, url: rest.url, custom_headers: headers } },
  ];
}

function pick(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(names.filter((name) => name !== "id").map((name) => [name, values[name]]));
}

function without(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}
