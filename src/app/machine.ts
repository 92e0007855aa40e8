import { join } from "node:path";
import { isInCi } from "../base/ci.ts";
import type { Config } from "../config/config.ts";
import { stateFolder } from "../config/location.ts";
import { foreignFolder } from "../config/own-file.ts";
import type { Context } from "../context.ts";
import type { Input } from "../host.ts";
import { nodeArchives } from "../node/archives.ts";
import { nodeHttp } from "../node/http/index.ts";
import { foreignLink } from "../node/owners.ts";
import type { Interruption } from "../node/signals.ts";
import type { createProgress } from "../terminal/interaction/progress.ts";
import type { Base } from "./connections.ts";
import { homeOf, noHome } from "./home.ts";
import type { Reporting } from "./shell.ts";
import { workingFolder } from "./working-folder.ts";

/** A Context without what belongs to the run of a command; `on` is the same with another configuration. */
export interface Opened extends Omit<Context, "commands" | "onProfile" | "closing"> {
  on(config: Config): Opened;
}

/** The parts shared by every Context of one run. */
export interface Machine extends Base {
  readonly interruption: Interruption;
  readonly stdin: Input;
  /** The progress line on stderr, which `^C` is echoed on and which is cleared before an error is printed. */
  progress: Pick<ReturnType<typeof createProgress>, "breakLine" | "close"> | undefined;
  /** A line for people, once it is known whether they want any. */
  notice: Context["notice"] | undefined;
  /** The current configuration, once known. */
  reported: Pick<Reporting, "format" | "debug" | "color"> | undefined;
  /** The command that completes the rest of a job. */
  rest: string | undefined;
}

/** What a Context has of the machine, whatever the configuration. */
export function partsOf(machine: Machine) {
  const { shell, interruption, files, stdin, redactor } = machine;
  const { host, stdout } = shell;
  const home = homeOf(host);
  return {
    stdin,
    isLogged: stdout.isTerminal || isJobLog(host),
    env: host.env,
    cwd: workingFolder(host),
    program: {
      version: shell.version,
      part: shell.part,
      node: host.versions.node,
      platform: host.platform,
      arch: host.arch,
    },
    lookUp: async (name: string) => (await import("../node/names.ts")).lookUp(name),
    redact: (text: string) => redactor.text(text),
    conceal: (text: string) => redactor.add(text),
    files,
    archives: nodeArchives(workingFolder(host)),
    http: nodeHttp,
    signal: interruption.signal,
    home: home === noHome ? undefined : home,
    stateFolder: stateFolders(host, home),
    uninterrupted: async (act, maxMs) => {
      const release = interruption.defer(maxMs);
      return act().finally(release);
    },
    ifCutOff: (rest) => {
      machine.rest = rest;
    },
    unwatched: unwatchedBy(interruption),
    now: () => new Date(),
    elapsedMs: () => performance.now(),
  } satisfies Partial<Opened>;
}

/** The folders of this program's state; one of them that is used by another user's link is refused. */
function stateFolders({ env, platform }: NodeJS.Process, home: string): Context["stateFolder"] {
  const { path, foundIn } = stateFolder(env, { home, platform });
  return (of) => {
    const folder = join(path, of);
    const link = foundIn === undefined ? undefined : foreignLink(folder);
    if (link !== undefined) throw foreignFolder(link, "the records", "FORGECTL_STATE_DIR");
    return folder;
  };
}

/** Runs something that hears no signal, and that a signal is to end. */
export function unwatchedBy({ pause }: Interruption) {
  return <T>(act: () => Promise<T>): Promise<T> => {
    const watch = pause();
    return act().finally(watch);
  };
}

/** A file that a job writes its output to is not its log. */
function isJobLog(host: NodeJS.Process): boolean {
  if (!isInCi(host.env)) return false;
  try {
    return !host.getBuiltinModule("node:fs").fstatSync(1).isFile();
  } catch {
    return true;
  }
}
