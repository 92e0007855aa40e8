import { missing, UsageError } from "../../base/errors.ts";
import { isTypedId } from "../../base/group-paths.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import { type JobRun, resumeJobRun } from "../../jobs/job-run.ts";
import { type Shard, shardOf, shardWords } from "../../jobs/shard.ts";
import type { NamedId } from "../../jobs/task-ids.ts";
import { isWhole, type Kept, type Listed, namesOf } from "./kept.ts";
import { type Instances, markOf, type Place } from "./scopes.ts";
import { flagOf, type ScopeKind, type SourceFlags, sourceOf } from "./sources.ts";

export interface Flags extends SourceFlags {
  readonly command?: readonly string[] | undefined;
  readonly profiles?: string | undefined;
  readonly shard?: string | undefined;
  readonly journal?: string | undefined;
  readonly resume?: string | undefined;
}

/** What is to be done: as typed, or as an earlier run recorded it. */
export interface Asked {
  /** Undefined: once for each instance as a whole. */
  readonly kind: ScopeKind | undefined;
  readonly words: readonly string[];
  /** The stored profiles to run it with; empty for the current instance. */
  readonly profiles: readonly string[];
  readonly shard: Shard | undefined;
  /** What a journal of it says before the command: the flags that decide for what it is. */
  readonly source: string;
  /** The words without secrets; a hash distinguishes commands whose secrets differ. */
  readonly shown: string;
  /** The words have no secrets, so that a run can hold them. */
  readonly holdsWords: boolean;
  /** The run that is resumed. */
  readonly run: JobRun | undefined;
  /** What its names led to, as far as it was known when it began. */
  readonly recorded: readonly NamedId[];
  /** The names, on each instance. */
  places(instances: Instances): Promise<readonly Place[]>;
  /** What a new run keeps of it. */
  kept(places: readonly Place[]): object;
}

export async function asked(context: Context, flags: Flags): Promise<Asked> {
  const { command: words = [], resume } = flags;
  if (resume !== undefined) return resumed(context, flags, resume);
  if (words.length === 0) throw missing("<command>", { hint: "give it after --" });
  const profiles = profilesOf(context, flags.profiles);
  const source = sourceOf(context, flags);
  if (source === undefined && profiles.length === 0) {
    throw missing("--projects-file, --groups-file, --projects-of, --groups-of, or --profiles");
  }
  const shard = shardOf(context.env, flags.shard);
  return made(context, {
    ...{ kind: source?.kind, profiles, shard, words },
    source: commandLine(sourceWords(flags, { profiles, shard, files: false })),
    places: placesOf(source, profiles),
    listed: {
      projects_of: flags.projects_of,
      groups_of: flags.groups_of,
      match: flags.match,
      archived: flags.archived,
    },
  });
}

async function resumed(context: Context, flags: Flags, resume: string): Promise<Asked> {
  const { command: words = [] } = flags;
  for (const name of ["journal", "shard", "profiles", "projects_of", "groups_of", "match"] as const) {
    if (flags[name] === undefined) continue;
    throw new UsageError(
      `give only one of ${flagOf(name)} and --resume`,
      name === "journal" ? {} : { hint: "the run has its own" },
    );
  }
  const { run, asked: kept } = await resumeJobRun<Kept>(context, resume, isWhole);
  if (kept.job !== "each")
    throw new UsageError(`run ${resume} is not one of each`, { hint: `batch --resume ${resume}` });
  if (words.length > 0 && markOf(words) !== kept.mark) {
    throw new UsageError(`run ${resume} is the run of another command`, { hint: "leave the command out" });
  }
  const typed = words.length > 0 ? words : kept.words;
  if (typed === undefined) {
    throw new UsageError(`run ${resume} does not hold its command, which has a secret`, {
      hint: `repeat the whole command with --resume ${resume}`,
    });
  }
  const source = sourceOf(context, flags) ?? sourceOf(context, kept.listed ?? {});
  if (source !== undefined && source.kind !== kept.kind) {
    throw new UsageError(`run ${resume} is not one for ${source.kind}s`, { hint: `leave ${source.words[0]} out` });
  }
  const { kind, profiles, shard } = kept;
  if (profiles.length > 0)
    refuseOther(context, "--resume", { hint: `the run is for the profiles ${profiles.join(", ")}` });
  const places = source === undefined ? recordedPlaces(kept) : placesOf(source, profiles);
  return made(context, {
    kind,
    profiles,
    shard,
    words: typed,
    source: kept.source,
    places,
    run,
    recorded: namesOf(kept),
  });
}

/** The recorded names. Their IDs may be others by now, and are looked up again. */
function recordedPlaces({ places }: Kept): Asked["places"] {
  return async () => places.map(({ profile, names }) => ({ profile, names: names?.map(({ id: _, ...own }) => own) }));
}

type Given = Pick<Asked, "kind" | "words" | "profiles" | "shard" | "source" | "places"> & {
  run?: JobRun;
  recorded?: readonly NamedId[];
  listed?: Listed;
};

async function made(context: Context, given: Given): Promise<Asked> {
  const { kind, words, profiles, shard, source } = given;
  const { secrets } = await context.commands.parse(words, addedColumns(kind, profiles));
  const isSecret = (word: string) => secrets.some((secret) => secret !== "" && word.includes(secret));
  // What is not shown, such as the password in an address, is not stored either.
  const hidden = words.map((word) => (isSecret(word) ? "[redacted]" : context.redact(word)));
  const holdsWords = words.every((word, index) => word === hidden[index]);
  return {
    ...given,
    ...{ holdsWords, run: given.run, recorded: given.recorded ?? [] },
    shown: holdsWords ? commandLine(words) : `${commandLine(hidden)} # ${markOf(words)}`,
    kept: (places): Kept => ({
      job: "each",
      ...(kind !== undefined && { kind }),
      ...{ profiles, source, places, mark: markOf(words) },
      ...(shard !== undefined && { shard }),
      ...(holdsWords && { words }),
      ...(places.some(({ isInPart }) => isInPart) && { listed: given.listed }),
    }),
  };
}

/** The columns that are added to those of the command. */
export function addedColumns(kind: ScopeKind | undefined, profiles: readonly string[]): string[] {
  const scope = [...(profiles.length > 0 ? ["profile"] : []), ...(kind === undefined ? [] : [kind])];
  return [...scope, "status", "error", "failure"];
}

function placesOf(source: ReturnType<typeof sourceOf>, profiles: readonly string[]): Asked["places"] {
  return async (instances) => {
    const places: Place[] = [];
    const [flag = "", group = ""] = source?.words ?? [];
    if (profiles.length > 1 && flag.endsWith("-of") && isTypedId(group)) {
      throw new UsageError(`${flag}: ${group} is an ID, and another group on each instance`, {
        hint: "write the path",
      });
    }
    for (const [profile, { context, inner }] of instances) {
      places.push({ profile, ...(await source?.names(context, inner.changes)) });
    }
    const id = places.flatMap(({ names = [] }) => names).find((one) => one.id === undefined && isTypedId(one.name));
    if (profiles.length > 1 && id !== undefined) {
      throw new UsageError(`${id.name} is an ID, and another ${source?.kind} on each instance`, {
        hint: "with --profiles, write paths",
      });
    }
    return places;
  };
}

function profilesOf(context: Context, text: string | undefined): string[] {
  if (text === undefined) return [];
  const names = text.split(",").map((name) => name.trim());
  if (names.includes("")) throw new UsageError("--profiles: missing <name>", { hint: "write --profiles one,two" });
  refuseOther(context, "--profiles");
  return [...new Set(names)];
}

/** The profiles' own addresses and tokens are used, so another address or profile would have no effect. */
function refuseOther({ config }: Context, profiles: string, details: { hint?: string } = {}): void {
  const flag = [config.profile, config.baseUrl].find((given) => given?.source.startsWith("--"))?.source;
  if (flag !== undefined) throw new UsageError(`give only one of ${flag} and ${profiles}`, details);
}

/** The words that give the same scopes again. For a journal without the files: a corrected list may be continued. */
export function sourceWords(
  flags: Flags,
  { profiles, shard, files }: { profiles: readonly string[]; shard: Shard | undefined; files: boolean },
): string[] {
  const named = (["projects_file", "groups_file", "projects_of", "groups_of"] as const).flatMap((name) => {
    const value = flags[name];
    if (value === undefined) return [];
    return files || name.endsWith("_of") ? [flagOf(name), value] : [flagOf(name)];
  });
  return [
    ...(profiles.length > 0 ? ["--profiles", profiles.join(",")] : []),
    ...named,
    ...(flags.match === undefined ? [] : ["--match", flags.match]),
    ...(flags.archived ? ["--archived"] : []),
    ...shardWords(shard),
  ];
}
