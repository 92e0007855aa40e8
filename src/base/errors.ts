/** The exit codes, which scripts rely on; the table is `forgectl help exit-codes`. */
export const exitCodes = {
  done: 0,
  refused: 1,
  usage: 2,
  notFound: 3,
  unauthenticated: 4,
  forbidden: 5,
  conflict: 6,
  rateLimited: 7,
  notReady: 8,
  partial: 9,
  differences: 10,
  network: 11,
  integrity: 12,
  bug: 70,
  interrupted: 130,
} as const;

export type ExitName = keyof typeof exitCodes;
export type ExitCode = (typeof exitCodes)[ExitName];

/** Details of a failure besides its message; each appears in both the text and the JSON form. */
export interface FailureDetails {
  /** Stable identifier for programs, such as `not_found`. */
  code?: string;
  /** Why, in the server's words or ours. */
  reason?: string;
  /** What to do next: a command to type or a thing to check. */
  hint?: string;
  /** The items that a bulk command did not process, as typed. They become the `hint`. */
  left?: readonly string[];
  /** Field errors with dotted paths, as flattened from a 400. */
  fields?: Record<string, string[]>;
  /** A spam challenge to be solved; null if the server did not send it. */
  challenge?: { captcha_site_key: string | null; spam_log_id: number | null };
  status?: number;
  /** The answer had begun, and broke: the instance is done with the request. */
  answered?: boolean;
  /** A network error at an address from which no request of this run has had an answer yet. */
  unreached?: boolean;
  /** A 404 says that the instance does not know the path: its edition or release lacks the request. */
  lacksRoute?: true;
  method?: string;
  /** Path and query of the request, secrets redacted. */
  path?: string;
  requestId?: string;
  retryable?: boolean;
  /**
   * The outcome of the requested change: `unknown` if it may have been made, `made` if it was, `none` if
   * it is known not to have been made though its request was answered with success, or not at all; `altered` if the
   * instance stored something else than was sent, `not_taken` if it accepted the request and changed nothing.
   */
  outcome?: "made" | "unknown" | "none" | "altered" | "not_taken";
  /** What the failure prevented: `outcome: nothing was sent`, a line of the text form. */
  nothing?: "sent" | "written" | "stored" | "changed" | "deleted";
  /** The outcome in words, in place of the usual ones of that line: `3 done; run 7`. */
  outcomeText?: string;
  /** The object as the instance stored it: shown although the command fails. */
  stored?: object;
  /** How that is shown, if not with all its fields: parts of a view. */
  shownAs?: object;
  cause?: unknown;
}

/** A failure that a user or a script can act on. Anything else that is thrown is a bug (exit 70). */
export class Failure extends Error {
  readonly exit: ExitName;
  readonly details: FailureDetails;

  constructor(exit: ExitName, message: string, details: FailureDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "Failure";
    this.exit = exit;
    this.details = details;
  }

  /** A copy of this failure with some details replaced; it keeps the stack trace. */
  with({ exit = this.exit, message = this.message, ...more }: FailureDetails & { exit?: ExitName; message?: string }) {
    const same = new Failure(exit, message, { ...this.details, ...more });
    if (this.stack !== undefined) same.stack = this.stack;
    return same;
  }

  get code(): string {
    return this.details.code ?? this.exit.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}

/** A bad flag, argument, or file, found before anything was sent (exit 2). */
export class UsageError extends Failure {
  /** The command whose `--help` helps, as typed after the program's name; filled in by the layer that knows it. */
  command: string | undefined;

  constructor(message: string, details: FailureDetails = {}) {
    super("usage", message, details);
    this.name = "UsageError";
  }
}

/**
 * What a command needs and was not given: `missing <path>`, `missing --ref <ref>`, `missing -p, --project`.
 *
 * @param what as in help: an argument, a flag, or several of which one is needed
 */
export function missing(what: string, details: FailureDetails = {}): UsageError {
  return new UsageError(`missing ${what.replace("...", "")}`, details);
}

/** The exit code of a command that searches: with `--exit-code`, 10 if it found anything. */
export function whenFound(asked: boolean | undefined, isFound: () => boolean): () => number {
  return () => (asked === true && isFound() ? exitCodes.differences : exitCodes.done);
}

/** The reason something failed, without repeating what failed, and what is known to have become of its change. */
export function reasonIn(error: unknown): string {
  if (error instanceof Failure) {
    const { reason = error.message, outcomeText } = error.details;
    return outcomeText === undefined ? reason : `${reason.replace(/\.$/, "")}; ${outcomeText}`;
  }
  return error instanceof Error ? error.message : String(error);
}

/** The outcome of a change in words, if it is not simply that of any failure: nothing changed. */
export function outcomeIn({ outcomeText, nothing, outcome }: FailureDetails): string | undefined {
  if (outcomeText !== undefined) return outcomeText;
  if (nothing !== undefined) return `nothing was ${nothing}`;
  return outcome === "unknown" ? "the change may have been made anyway" : undefined;
}

/**
 * Whether a failure says that there is none, or none that this token may see: a 404 that is the instance's own, or
 * another status that means it. A gateway's 404 says nothing of the kind.
 */
export function isNotFound(error: unknown): error is Failure {
  return error instanceof Failure && error.exit === "notFound";
}

/** For `catch`: undefined in place of a failure with one of these exits; any other error stays one. */
export function undefinedOn(...exits: readonly ExitName[]): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Failure && exits.includes(error.exit)) return undefined;
    throw error;
  };
}

const noRoom = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EIO"]);

/**
 * The system refused to read or write a file: exit 2 with the system's reason, 12 if the disk is full or is
 * failing. `code` is the system's own (`EACCES`), or `write_failed`.
 */
export class FileError extends Failure {
  /** @param path as the user knows it */
  constructor(path: string, doing: "read" | "written", cause: Error) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    const details = { reason: cause.message, cause };
    if (doing === "written" && noRoom.has(code)) {
      const hint = "free some space, then run the command again";
      super("integrity", `${path} could not be written in full`, { ...details, code: "write_failed", hint });
    } else super("usage", `${path} cannot be ${doing}`, { ...details, code });
  }

  /** The same error, naming the file that the user asked for instead of the temporary one. */
  about(path: string): FileError {
    return new FileError(path, "written", this.details.cause as Error);
  }
}
