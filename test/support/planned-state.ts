import { expect } from "vitest";
import { applyPlan } from "../../src/state/apply/apply.ts";
import type { Change } from "../../src/state/kind.ts";
import { makePlan, type PlanOptions } from "../../src/state/plan/plan.ts";
import { addressOfChange } from "../../src/state/plan/plan-row.ts";
import { beginRun, type OpenRun } from "../../src/state/runs/runs.ts";
import { words } from "./compared.ts";
import { type Reply, type Request, scriptedInstance } from "./scripted-instance.ts";
import { fits } from "./small-instance.ts";
import { declared } from "./state-text.ts";

// Plans of texts against an instance that is a table of answers, in this process.

/**
 * What an instance answers, by `/groups/acme` for reads and `PUT /groups/acme` for changes, with parameters if they
 * matter: the first key that fits counts, and 404 is the answer to everything else. A number is a status, a function
 * makes the answer.
 */
export type Answers = Record<string, unknown>;

type Options = Partial<PlanOptions>;

const all: PlanOptions = {
  prune: false,
  secrets: "auto",
  only: undefined,
  projects: undefined,
  groups: undefined,
};

/** An instance whose answers a test may change between two steps, and what is done on it. */
export async function instanceWith(answers: Answers) {
  const { context, log, requests, warnings } = await scriptedInstance((request) => {
    const { method, path, query } = request;
    const asked = [`${method} ${path}?${query}`, ...(method === "GET" ? [`${path}?${query}`] : [])];
    const found = Object.entries(answers).find(([key]) => asked.some((each) => fits(each, key)));
    const [, answer] = found ?? [];
    if (typeof answer === "function") return answer(request);
    if (answer === undefined) return [404, { message: "404 Not Found" }];
    if (answer === 204 || answer === 404) return [answer];
    if (typeof answer === "number") return [answer, { message: "of a test" }];
    return answer === "lost" ? "lost" : [200, answer];
  });
  const progress: string[] = [];
  const start = (label: string, { total }: { total?: number }) => {
    progress.push(`${label} of ${total}`);
    return {
      update: (done: number, more: { label?: string } = {}) => progress.push(`${more.label ?? label} ${done}`),
      stop: () => progress.push("stop"),
    };
  };
  Object.assign(context, { progress: { start } });

  const plan = async (texts: string | readonly string[], options: Options = {}) => {
    const { problems: _, ...declaration } = await declared(texts, { folder: context.folder });
    return makePlan(context, declaration, { ...all, ...options });
  };
  return {
    answers,
    context,
    log,
    requests,
    warnings,
    progress,
    plan,
    /** The changes of a plan as lines. */
    rows: async (texts: string | readonly string[], options: Options = {}) => {
      const { changes } = await plan(texts, options);
      expect(log("changes")).toEqual([]);
      return changes.map(line);
    },
    /** The outcomes of changes as lines; by default they are a run of this machine. */
    async apply(changes: readonly Change[], own?: OpenRun, made?: () => void) {
      const run = own ?? (await beginRun(context, { what: "apply" }));
      const outcomes: string[] = [];
      const options = { readAtMs: context.elapsedMs(), waitSeconds: undefined, ...(made && { made }) };
      try {
        for await (const { change, status, error } of applyPlan(context, changes, run, options)) {
          outcomes.push(`${addressOfChange(change)} ${status}${error === null ? "" : `: ${error}`}`);
        }
      } finally {
        await run.close(true);
      }
      return outcomes;
    },
  };
}

/** A run whose journal is a list; a line that `refuses` says cannot be written is an error. */
export function notedRun(refuses: (line: object) => boolean = () => false) {
  const lines: object[] = [];
  const run: OpenRun = {
    id: "r",
    note: async (...more) => {
      for (const each of more) {
        if (refuses(each)) throw new Error("no space left");
        lines.push(each);
      }
    },
    keep: async () => undefined,
    close: async () => undefined,
  };
  return { run, lines };
}

/** The list of SAML links of a group as an instance keeps it: what is added and removed is so from then on. */
export function linksOf(path: string, ...names: string[]): Answers {
  const place = `/groups/${path}/saml_group_links`;
  const list = names.map((name) => ({ name, access_level: 30, provider: null }));
  const remove = ({ path: removed }: Request): Reply => {
    const at = list.findIndex(({ name }) => removed.endsWith(`/${name}`));
    return list.splice(at, at === -1 ? 0 : 1).length === 0 ? [404, { message: "404 Not found" }] : [204];
  };
  return {
    [place]: (): Reply => [200, list],
    [`POST ${place}`]: ({ body }: Request): Reply => {
      const link = { name: String(body.saml_group_name), access_level: Number(body.access_level), provider: null };
      list.push(link);
      return [201, link];
    },
    ...Object.fromEntries(names.map((name) => [`DELETE ${place}/${name}`, remove])),
  };
}

export interface Trial {
  /** What the instance answers once the changes are planned. */
  later?: Answers;
  prune?: boolean;
}

/** Plans a text on an instance, and makes the changes on what it has become. */
export async function applied(answers: Answers, text: string, { later = {}, prune = true }: Trial = {}) {
  const instance = await instanceWith(answers);
  const { changes } = await instance.plan(text, { prune });
  Object.assign(instance.answers, later);
  const { run, lines } = notedRun();
  let made = 0;
  const outcomes = await instance.apply(changes, run, () => {
    made += 1;
  });
  return { outcomes, made, lines, sent: instance.log("changes") };
}

/** A change as a line: `acme#hooks/Deploys update: url (why)`. */
function line(change: Change): string {
  const { key: _, ...rest } = change;
  return `${addressOfChange(change)} ${words({ ...rest, key: "" })}`;
}

/** A project as an instance answers it. */
export const project = (id: number, path: string, more: object = {}) => ({
  id,
  path_with_namespace: path,
  ...more,
});

/** A group, likewise. */
export const group = (id: number, path: string, more: object = {}) => ({ id, full_path: path, ...more });

const samlLink = (name: string, level = 30) => ({ name, access_level: level, provider: null });
export const acme = { "/groups/acme": group(4, "acme") };

/** The group acme with these SAML links, of developers. */
export const links = (...names: string[]): Answers => ({
  ...acme,
  "/groups/acme/saml_group_links": names.map((name) => samlLink(name)),
});

/** A file that declares them. */
export const declares = (...names: string[]) =>
  `groups: { acme: { saml_group_links: [${names.map((name) => `{ name: ${name}, access_level: 30 }`).join(", ")}] } }`;
export const shop = { "/projects/acme/shop": project(7, "acme/shop", { container_registry_access_level: "enabled" }) };
export const registry = (name: string, level = "private") => `${name}: { container_registry_access_level: ${level} }`;
export const caller = { "/user": { id: 5, username: "ana", is_admin: true } };
