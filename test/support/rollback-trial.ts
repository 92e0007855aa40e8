import { expect } from "vitest";
import type { Values } from "../../src/state/kind.ts";
import { planRollback } from "../../src/state/rollback/rollback.ts";
import type { Run, RunEntry } from "../../src/state/runs/runs.ts";
import { words } from "./compared.ts";
import { scriptedInstance } from "./scripted-instance.ts";

// The plan of a rollback of a run with these entries, on an instance where these objects are.

type Entry = { [K in keyof RunEntry]?: RunEntry[K] | undefined };

export const url = "https://a.example/in";
export const hook = { id: 2, name: "Deploys", url, push_events: true, description: "set" };
export const link = { name: "Engineering", access_level: 30, provider: null };

export function entry(more: Entry): RunEntry {
  const whole = {
    address: "acme#hooks/Deploys",
    at: "group",
    scope: "acme",
    kind: "hooks",
    key: "Deploys",
    id: 2,
    action: "update",
    status: "done",
    error: null,
    before: { description: "was" },
    after: { description: "set" },
    secrets: [],
    ...more,
  };
  return { sent: whole.after, ...whole } as RunEntry;
}

export const linkEntry = (more: Entry) =>
  entry({
    address: "acme#saml_group_links/Engineering",
    kind: "saml_group_links",
    key: "Engineering",
    id: null,
    action: "create",
    before: null,
    after: link,
    ...more,
  });
export const allowed = (more: Entry) =>
  entry({
    address: "acme/x#allowlist/9",
    at: "project",
    scope: "acme/x",
    kind: "allowlist",
    key: "9",
    id: 9,
    action: "delete",
    before: { id: 9 },
    after: null,
    sent: null,
    ...more,
  });

export interface Trial {
  entries: RunEntry[];
  hooks?: Values[];
  links?: Values[] | number;
  allowlist?: Values[];
  overwrite?: boolean;
  earlier?: RunEntry[];
  /** The earlier rollback was killed. */
  cutOff?: boolean;
  damaged?: number[];
  instance?: string;
  /** What the group says of itself besides its name. */
  group?: Values;
}

export async function planned({
  entries,
  hooks = [],
  links = [],
  allowlist = [],
  overwrite = false,
  earlier = [],
  cutOff = false,
  damaged = [],
  instance,
  group = {},
}: Trial) {
  const { context, log } = await scriptedInstance(({ path }) => {
    if (path === "/groups/acme") return [200, { id: 4, full_path: "acme", ...group }];
    if (path === "/projects/acme/x") return [200, { id: 7, path_with_namespace: "acme/x" }];
    if (path.endsWith("/hooks")) return [200, hooks];
    if (path.endsWith("/allowlist")) return [200, allowlist];
    return typeof links === "number" ? [links, {}] : [200, links];
  });
  const run: Run = {
    run: "r1",
    instance: instance ?? context.config.baseUrl?.value ?? "",
    what: "apply",
    started: "",
    ended: "",
    complete: true,
    entries,
    damaged,
  };
  const earlierRuns = earlier.length === 0 ? [] : [{ ...run, entries: earlier, ended: cutOff ? null : "" }];
  const back = await planRollback(context, run, { overwrite, earlier: earlierRuns });
  expect(log("changes")).toEqual([]);
  return { ...back, changes: back.plan.changes.map(words) };
}
