import type { Entity, Fields } from "../api/field.ts";
import { type Completes, type Listed, listed } from "../api/field-options.ts";
import type { CompletionHost, ValuesQuery } from "./host.ts";
import { type Completions, matching, nothing, type Offer, withPrefix } from "./words.ts";

export interface Asked {
  /** The part of the value typed so far; in a comma-separated list, of its last item. */
  readonly typed: string;
  /** The preceding items in the same word. */
  readonly before: readonly string[];
  readonly host: CompletionHost;
  /** Arguments and flags of the line, as typed, by parameter. */
  readonly line: ValuesQuery["line"];
  /** The entity of the command's result. */
  readonly returns: Entity | undefined;
}

type Lookup = (asked: Asked) => Completions | Promise<Completions>;

/** Lookups of what the instance lists. */
const ofInstance = Object.fromEntries(
  listed.map((source): [Listed, Lookup] => [source, (asked) => fromInstance(source, asked)]),
) as Record<Listed, Lookup>;

/** The lookup for each value of a field's `completes`. */
export const lookups: Readonly<Record<Completes, Lookup>> = {
  ...ofInstance,
  file: () => ({ offers: [], own: "file" }),
  directory: () => ({ offers: [], own: "folder" }),
  command: () => ({ offers: [], own: "command" }),
  // A nested command line, which src/completion/complete.ts completes.
  "own-command": () => nothing,
  "value-file": ({ typed }) => fileAfter(/^[^=]+=@/, typed) ?? nothing,
  profile: async ({ host }) => {
    const { profiles } = await host.profiles();
    return offers([...profiles].map(([name, { settings }]) => [name, settings["base-url"] ?? "no address yet"]));
  },
  "profile-key": async () => offers((await profileKeys()).map((key) => [key, ""])),
  "profile-value": profileValue,
  project: (asked) => scopes(asked, "project", ["FORGECTL_PROJECT", "CI_PROJECT_ID"]),
  group: (asked) => scopes(asked, "group", ["FORGECTL_GROUP"]),
  setting: async () => offers((await catalogue()).settings.map(({ name, description }) => [name, description])),
  "setting-value": settingValue,
  "hook-event": async ({ typed, before }) =>
    offers((await import("../commands/hooks/event-kinds.ts")).completeKinds(typed, before)),
  who,
  "rule-who": (asked) => {
    const rule = /^\d+=/.exec(asked.typed)?.[0] ?? "";
    return rule === "" ? nothing : after(rule, asked, who);
  },
  field: ({ typed, returns }) => offers(returns === undefined ? [] : fieldPaths(returns.shape, typed)),
};

function offers(found: Iterable<Offer>): Completions {
  return { offers: [...found] };
}

async function fromInstance(source: Listed, { host, typed, line }: Asked): Promise<Completions> {
  return offers(await host.listed({ source, typed, line }));
}

/** The completions of the rest of a word that starts with `prefix`. */
async function after(prefix: string, asked: Asked, lookup: Lookup): Promise<Completions> {
  return withPrefix(prefix, await lookup({ ...asked, typed: asked.typed.slice(prefix.length) }));
}

/** Files, if the word starts with the prefix that precedes one. */
function fileAfter(start: RegExp, typed: string): Completions | undefined {
  const ahead = start.exec(typed)?.[0];
  return ahead === undefined ? undefined : { offers: [], own: "file", skip: ahead.length };
}

const catalogue = () => import("../settings/catalogue.ts");

async function profileKeys(): Promise<readonly string[]> {
  return (await import("../config/values.ts")).profileKeys;
}

/** `key=` for each key, then its possible values. */
async function profileValue(asked: Asked): Promise<Completions> {
  const { typed } = asked;
  const at = typed.indexOf("=") + 1;
  if (at === 0) return offers((await profileKeys()).map((key) => [`${key}=`, ""]));
  const key = typed.slice(0, at - 1);
  if (key.endsWith("-file")) return { offers: [], own: "file", skip: at };
  if (key === "project" || key === "group") return after(typed.slice(0, at), asked, lookups[key]);
  if (key !== "output") return nothing;
  const { formats } = await import("../base/format.ts");
  return offers(formats.map((format) => [`${key}=${format}`, ""]));
}

/** Scopes that the profiles and the environment name, and those that the instance lists. */
async function scopes(asked: Asked, scope: "project" | "group", names: readonly string[]): Promise<Completions> {
  const { env, profiles } = asked.host;
  const given = names.flatMap((name): Offer[] => (env[name] ? [[env[name], name]] : []));
  const stored = [...(await profiles()).profiles].flatMap(([name, { settings }]): Offer[] => {
    const value = settings[scope];
    return value === undefined ? [] : [[value, `profile ${name}`]];
  });
  const { offers: found } = await fromInstance(scope, asked);
  return offers(new Map([...found, ...given, ...stored]));
}

/** `name=` for every setting, then its possible values, or a file. */
async function settingValue({ typed }: Asked): Promise<Completions> {
  const { findSetting, settings } = await catalogue();
  const at = typed.indexOf("=");
  if (at < 0) return offers(settings.map(({ name, description }) => [`${name}=`, description]));
  const file = fileAfter(/^[^=]+=@/, typed);
  if (file !== undefined) return file;
  const setting = findSetting(typed.slice(0, at));
  const values = setting?.type === "boolean" ? ["true", "false"] : (setting?.values ?? []);
  return offers(values.map((value) => [`${setting?.name}=${value}`, setting?.description ?? ""]));
}

/** `user:`, `group:`, `level:maintainer`; when complete, also the variant with inherited members. */
async function who(asked: Asked): Promise<Completions> {
  const { typed } = asked;
  const { deployLevels, inherited } = await import("../api/endpoints/who.ts");
  const bare = typed.split("+")[0] ?? "";
  const levels = Object.entries(deployLevels).map(([level, code]): Offer => [`level:${level}`, `access level ${code}`]);
  const [kind] = /^(?:user|group):/.exec(bare) ?? [];
  const named =
    kind === undefined || typed !== bare ? nothing : await after(kind, asked, ofInstance[kind.slice(0, -1) as Listed]);
  const isBegun = matching(named.offers, bare).some(([word]) => word !== bare);
  const isWhole = /^(?:user|group):[^+=]+$/.test(bare) || levels.some(([level]) => level === bare);
  return offers([
    ...named.offers,
    ...(isWhole && !isBegun ? [[bare, ""] as const, [`${bare}${inherited}`, "Inherited members too"] as const] : []),
    ["user:", "A user, by ID or username"],
    ["group:", "A group, by ID or path"],
    ...levels.filter(([level]) => level !== bare),
  ]);
}

/** The fields at the typed level of the path; a field with subfields also with a trailing dot. */
function fieldPaths(shape: Fields, typed: string): Offer[] {
  const above = typed.split(".").slice(0, -1);
  let level: Fields | undefined = shape;
  for (const name of above) level = level === undefined ? undefined : shapeOf(level[name]);
  const start = above.map((name) => `${name}.`).join("");
  return Object.entries(level ?? {}).flatMap(([name, field]): Offer[] => {
    const offer: Offer = [start + name, field.description];
    return shapeOf(field) === undefined ? [offer] : [offer, [`${start}${name}.`, "Its fields"]];
  });
}

function shapeOf(field: Fields[string] | undefined): Fields | undefined {
  return field?.shape ?? field?.item?.shape;
}
