import { basename, dirname, join } from "node:path";
import { readPlace } from "../../api/place.ts";
import { UsageError } from "../../base/errors.ts";
import { pathKey } from "../../base/path-key.ts";
import { isSpecial, isStdout } from "../../base/special-file.ts";
import type { Context, InnerCommand } from "../../context.ts";
import type { HeldFiles } from "../../host.ts";
import { concurrently } from "../../jobs/concurrently.ts";
import { refuseLinks } from "../../transfer/refuse-links.ts";
import { refuseReplaced } from "../../transfer/replaced-folder.ts";
import { unlessRefused } from "../../verbs/optional-call.ts";
import type { Instance, Instances, Scope } from "./scopes.ts";
import type { ScopeKind } from "./sources.ts";

// `{id}` and `{path}` in the names of files and folders that a command writes.

/** The files and folders of one scope, by flag or argument. */
export type Outputs = Readonly<Record<string, string>>;

const placeholder = /\{(id|path)\}/g;

/** Whether each scope gets a file or folder of its own. */
export function namesOutputs({ outputs }: InnerCommand): boolean {
  return Object.values(outputs).some((text) => text.search(placeholder) >= 0);
}

/**
 * Fills in the outputs of every scope, before anything is sent. A path that could leave its folder is refused, and so
 * are two scopes that would write one file, or one into the folder of another.
 */
export async function outputsOf(
  instances: Instances,
  { kind, scopes }: { kind: ScopeKind | undefined; scopes: readonly Scope[] },
): Promise<(scope: Scope) => Outputs | undefined> {
  const [{ inner, context }] = [...instances.values()] as [Instance];
  refuseSharedReport(inner, scopes);
  const typed = Object.entries(inner.outputs).filter(([, text]) => !isStdout(text));
  if (typed.length === 0) return () => undefined;
  if (kind === undefined && namesOutputs(inner)) {
    throw new UsageError("{id} and {path} need a list of projects or groups, or a group");
  }
  const filled = new Map<Scope, Outputs>();
  const needsPath = typed.some(([, text]) => text.includes("{path}"));
  const one = async (scope: Scope) => ({ scope, values: await valuesOf(instances, { kind, scope, needsPath }) });
  const limits = { limit: context.config.concurrency, ordered: true };
  for await (const { scope, values } of concurrently(scopes, one, limits)) {
    const texts = typed.map(([name, text]) => [name, text.replace(placeholder, (_, key: string) => values[key] ?? "")]);
    filled.set(scope, Object.fromEntries(texts) as Outputs);
  }
  refuseShared(filled);
  return (scope) => filled.get(scope);
}

/** A report is written in full by each scope, so that the last one's would be all that is left. */
function refuseSharedReport({ reports }: InnerCommand, [one, other]: readonly Scope[]): void {
  const report = reports.find((path) => !isSpecial(path));
  if (report !== undefined && one !== undefined && other !== undefined) throw shared(one, other, report);
}

/**
 * The command, which first creates the folders of its outputs. They stay open while it runs: where others may write
 * too, something else may have their names by the time that it writes.
 */
export function withParents(context: Context, inner: InnerCommand, outputs: Outputs): InnerCommand {
  const run: InnerCommand["run"] = async (more, read) => {
    const folders = new Parents(context);
    try {
      for (const [name, text] of Object.entries(inner.outputs)) await folders.add(text, outputs[name] ?? "");
      const result = await inner.run({ ...more, machine: folders.machine }, read);
      folders.refuseReplaced();
      return result;
    } finally {
      folders.release();
    }
  };
  return { ...inner, run };
}

/** The folders that only a placeholder names; none of them may be a link to another place. */
class Parents {
  readonly #context: Context;
  readonly #held: { folder: string; files: HeldFiles }[] = [];

  constructor(context: Context) {
    this.#context = context;
  }

  /** Files and archives, with every path in the folders leading into these very ones. */
  get machine(): Pick<Context, "files" | "archives"> {
    const files = this.#held.at(-1)?.files;
    return files === undefined ? this.#context : { files, archives: files.archives };
  }

  /**
   * Creates and opens the folder of an output, and opens the output if it is a folder, such as one of an earlier run.
   *
   * @param text as typed, with its placeholders
   */
  async add(text: string, output: string): Promise<void> {
    const at = text.search(placeholder);
    if (at < 0) return;
    const base = dirname(`${text.slice(0, at)}x`);
    const parent = dirname(output);
    await refuseLinks(this.machine, base, parent);
    if (this.#context.config.dryRun) return;
    await this.machine.files.makeFolder(parent);
    await this.#hold(parent);
    await refuseLinks(this.machine, base, parent);
    if ((await this.machine.files.facts(output))?.kind !== "folder") return;
    const { files } = this.machine;
    await this.#hold(output);
    await refuseForeignLink(files, output);
  }

  async #hold(folder: string): Promise<void> {
    if (this.#held.some((each) => each.folder === folder)) return;
    this.#held.push({ folder, files: await this.machine.files.hold(folder) });
  }

  /** Its files are not where the result says. */
  refuseReplaced(): void {
    for (const { folder, files } of this.#held) refuseReplaced(files, folder);
  }

  release(): void {
    for (const { files } of this.#held) files.release();
  }
}

/** A link to a folder may be this user's choice; another user's leads what is written to where only they know. */
async function refuseForeignLink(files: Context["files"], folder: string): Promise<void> {
  const parent = dirname(folder);
  const own = join((await files.real(parent)) ?? parent, basename(folder));
  if ((await files.real(folder)) === own || (await files.foreignPart(folder, parent, false)) === undefined) return;
  throw new UsageError(`${folder} is a link of another user`, { hint: "name a folder without links" });
}

interface Wanted {
  readonly kind: ScopeKind | undefined;
  readonly scope: Scope;
  readonly needsPath: boolean;
}

/** If the instance does not show a project or group, the text typed takes the place of its ID or path. */
async function valuesOf(instances: Instances, { kind, scope, needsPath }: Wanted): Promise<Record<string, string>> {
  const { name, profile, id: known = "", moved } = scope;
  if (kind === undefined || name === undefined) return {};
  const isId = /^\d+$/.test(name);
  const [, id = name] = /^\w+ (\d+)(?: of .+)?$/.exec(moved?.before ?? known) ?? [];
  const path = isId && needsPath ? await pathOf(instances.get(profile) as Instance, kind, name) : name;
  return { id: checked(id), path: checked(path) };
}

async function pathOf({ context: { api } }: Instance, kind: ScopeKind, name: string): Promise<string> {
  return (await unlessRefused(readPlace(api, kind, name)))?.path ?? name;
}

/** No path of the platform, and none of a file, is longer. */
const maxFilePath = 4096;

/** The path of a project or group as that of a file: each segment is the name of one file or folder. */
function checked(path: string): string {
  if (path.length > maxFilePath) {
    throw new UsageError(`${JSON.stringify(path.slice(0, 60))}... is too long for the name of a file`, {
      code: "unsafe_path",
      reason: `it has ${path.length} characters, more than ${maxFilePath}`,
    });
  }
  for (const segment of path.split("/")) {
    if (![".", "..", ""].includes(segment) && !/[\\\p{Cc}]/u.test(segment)) continue;
    throw new UsageError(`${JSON.stringify(path)} cannot be the name of a file`, {
      code: "unsafe_path",
      reason: `${JSON.stringify(segment)} is not the name of a file or folder in it`,
    });
  }
  return path;
}

function refuseShared(filled: ReadonlyMap<Scope, Outputs>): void {
  const owners = new Map<string, Scope>();
  for (const [scope, outputs] of filled) {
    for (const text of Object.values(outputs)) {
      const other = owners.get(pathKey(text));
      if (other !== undefined) throw shared(other, scope, text);
      owners.set(pathKey(text), scope);
    }
  }
  for (const [scope, outputs] of filled) {
    for (const text of Object.values(outputs)) {
      for (let above = dirname(pathKey(text)); above !== dirname(above); above = dirname(above)) {
        const other = owners.get(above);
        if (other !== undefined && other !== scope) throw shared(other, scope, above);
      }
    }
  }
}

function shared(one: Scope, other: Scope, file: string): UsageError {
  const both = [one, other].map(({ name, profile }) =>
    [name, profile].filter((part) => part !== undefined).join(" on "),
  );
  return new UsageError(`${both.join(" and ")} would both write ${file}`, {
    code: "shared_output",
    hint:
      one.name === other.name
        ? "run it for one profile at a time, each with a file of its own: --profile"
        : "write {path} or {id} in it, such as exports/{path}",
  });
}
