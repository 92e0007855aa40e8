import type { Api } from "./api/api.ts";
import type { Config } from "./config/config.ts";
import type { Archives, Environment, Files, Holder, Input, Output, Processes, Program } from "./host.ts";
import type { Http } from "./local-http.ts";
import type { Progress, Prompt } from "./terminal/interaction/index.ts";
import type { ExitView, View } from "./terminal/view.ts";

/** All of the outside world that a command may touch. */
export interface Context {
  readonly stdin: Input;
  readonly stdout: Output;
  /** Whether stdout ends in lines that people, or the runner of a CI job, read: a terminal, or the log of a job. */
  readonly isLogged: boolean;
  readonly stderr: Output;
  readonly env: Environment;
  readonly cwd: string;
  readonly program: Program;
  /** The addresses of a host name, as connections look them up; rejects with the system's error. */
  lookUp(name: string): Promise<string[]>;
  /** Replaces every secret known so far in a text, and values that are secret by their names. */
  redact(text: string): string;
  /** From now on this text is secret, in everything but results. */
  conceal(text: string): void;
  readonly files: Files;
  readonly archives: Archives;
  readonly processes: Processes;
  readonly http: Http;
  /** Identifies this process in lock files and owner notes. */
  readonly holder: Holder;
  /** Aborted by Ctrl-C or a termination signal. */
  readonly signal: AbortSignal;
  /** The user's home folder; undefined if there is none. */
  readonly home: string | undefined;
  /**
   * The folder of what is recorded, so that it can be resumed or rolled back. A UsageError if the way to it is a link
   * of another user.
   */
  stateFolder(of: "jobs" | "runs" | "remaps" | "writes"): string;
  /**
   * Runs what must not be cut off in the middle: a first Ctrl-C takes effect once it has ended, at most `maxMs` after
   * the Ctrl-C; a second one, at once. After a Ctrl-C it is not started, and fails as interrupted.
   */
  uninterrupted<T>(act: () => Promise<T>, maxMs?: number): Promise<T>;
  /** The command that completes the rest, with the program's name: printed if a second Ctrl-C ends the run at once. */
  ifCutOff(rest: string): void;
  /**
   * Runs what computes or reads without a pause, and changes nothing: a signal ends the process at once, since nothing
   * could react to it.
   */
  unwatched<T>(act: () => Promise<T>): Promise<T>;
  now(): Date;
  /** Milliseconds since an arbitrary moment, for measuring time: unlike `now`, it does not change with the clock. */
  elapsedMs(): number;
  /** Rejects when the program is interrupted, or `signal` is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  readonly config: Config;
  /** The instance. With `--dry-run` it holds no way to send a change. */
  readonly api: Api;
  /**
   * The instance, for checking the outcome of a change: Ctrl-C does not end it, and each of its requests is sent once
   * and times out after a few seconds.
   */
  readonly verifier: Api;
  /** The instance of another config: of another profile, or of one that is being tested. */
  connect(config: Config): Api;
  /** The same for another instance, named by a stored profile: its address, token, TLS, and guards. Never prompts. */
  onProfile(name: string): Promise<Context>;
  /** Other commands of this program, run in this process. */
  readonly commands: Commands;
  readonly prompt: Prompt;
  /** Answers questions in place of the user, inside another command that has asked; throws if the answer is no. */
  readonly answer?: (question: InnerQuestion) => void;
  readonly progress: Progress;
  /** A time in a line on stderr: on a terminal local and short, as in a table, unless `--times` is given. */
  shownTime(time: string): string;
  /** Prints a line on stderr; silent with `--quiet`. */
  notice(text: string): void;
  /** The same after the result: a line about rows that are written a moment later would stand before them. */
  closing(text: string): void;
  /** Prints a line on stderr that `--quiet` does not silence. */
  warn(text: string): void;
}

/** Runs commands for `each` and `batch`: over the same connections, without prompts or output. */
export interface Commands {
  /**
   * Parses words as they are typed after the program's name. A mistake is a UsageError, and nothing is sent.
   *
   * @param beside columns that the outer command adds to the result: `--fields` is checked against all
   */
  parse(words: readonly string[], beside?: readonly string[]): Promise<InnerCommand>;
}

/** What a command inside another one would ask: the action, and what nothing takes back. */
export interface InnerQuestion {
  readonly action: string;
  readonly remark?: string | undefined;
}

/** How a command runs inside another one. */
export interface InnerRun {
  readonly scope?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>> | undefined;
  /** In place of the machine's: some folders were opened before. */
  readonly machine?: Pick<Context, "files" | "archives">;
  readonly yes: boolean;
  readonly answer?: (question: InnerQuestion) => void;
  readonly watch?: (made: readonly string[]) => void;
  /** Called before each of its changes that had to wait; throws if it must not be made. */
  readonly afterWait?: () => Promise<unknown>;
}

/** A parsed command, which can be run any number of times. */
export interface InnerCommand {
  /** The instance that it runs on: each profile of a run has its own. */
  readonly api: Api;
  /** `registry tags delete`, in words. */
  readonly path: readonly string[];
  /** It can change something on the instance. */
  readonly changes: boolean;
  /** It can delete something. */
  readonly deletes: boolean;
  /** Its exit code says whether something was found. */
  readonly finds: boolean;
  /** It is idempotent: sending its requests twice has the same effect as once. */
  readonly repeatable: boolean;
  /** It uses the container registry itself. */
  readonly registry: boolean;
  /** Texts among the words that are secret. */
  readonly secrets: readonly string[];
  /** Files that it reads, as typed; `-` is stdin, however it is named. */
  readonly reads: readonly string[];
  /** The files and folders that it writes, as typed, by flag or argument. */
  readonly outputs: Readonly<Record<string, string>>;
  /** The files that it writes in full, as typed. */
  readonly replaces: readonly string[];
  /** The files of its reports, as typed. */
  readonly reports: readonly string[];
  /** Its result is bytes, or may be. */
  readonly bytes: boolean;
  /** The scopes that it takes, and those that were given. */
  readonly scopes: readonly ("project" | "group")[];
  readonly typedScopes: readonly ("project" | "group")[];
  /** The project or the group that it uses, as typed, or from the environment or the profile. */
  scope(): Readonly<Record<string, string | undefined>>;
  /** Other projects and groups that were typed by their IDs. */
  readonly placeIds: readonly string[];
  /** What else was typed by an ID. */
  readonly otherIds: readonly string[];
  /** What the files that it reads name by an ID, the first, with its place; nothing if they say their instance. */
  idInFiles(): Promise<string | undefined>;
  /** What was typed besides the project or the group; relative times are as typed. */
  readonly rest: Readonly<Record<string, unknown>>;
  /** Global flags given with it, by name: `output`. */
  readonly globals: readonly string[];
  /** `--yes` was given with it. */
  readonly yes: boolean;
  /**
   * Runs it, and reads its result; in a dry run, that is the planned requests. What fails in either is explained as
   * that of the command alone.
   *
   * @param more values in place of flags: `{ project: "acme/docs" }`; `outputs` in place of those typed; `answer` to
   *   its question, if it was asked before; `watch` is given the changes that the instance accepts, a list that grows
   * @param read reads the result to its end, since rows may fail, and what comes after them
   */
  run<T>(more: InnerRun, read: (view: View | ExitView | undefined) => Promise<T>): Promise<T>;
  /**
   * What it would ask before it changes something: "delete 3 tags". Undefined if it changes nothing, or would not ask.
   * Sends only reads.
   */
  question(
    scope: Readonly<Record<string, string>>,
    outputs?: Readonly<Record<string, string>>,
  ): Promise<InnerQuestion | undefined>;
}
