/** What the machine offers, as interfaces: the implementations in `host/` are handed in by `wire.ts` alone. */

export interface FileFacts {
  kind: "file" | "folder" | "other";
  /** Bytes. */
  size: number;
  /** Permission bits. */
  mode: number;
  modifiedMs: number;
}

/**
 * Paths may be relative: they are taken from the working directory. What the system refuses is a FileError, with its
 * `code`.
 */
export interface Files {
  /** Facts about what a path leads to, links followed; undefined where there is nothing. */
  facts(path: string): Promise<FileFacts | undefined>;
  read(path: string): Promise<Uint8Array>;
  /** A file's bytes in chunks of up to 1 MiB, from `start` on. */
  stream(path: string, start?: number): AsyncIterable<Uint8Array>;
  /** A regular file's bytes in large chunks, each lent until the next is asked for: the memory is used again. */
  lend(path: string): AsyncIterable<Uint8Array>;
  /** Writes beside the target under a temporary name, syncs, and renames: the target is the old or the new one. */
  write(path: string, content: string | Uint8Array, options?: { mode?: number }): Promise<void>;
  /**
   * Replaces a JSON file of this user alone (0600); a link to it is kept. The old one or the new one is there at any time.
   */
  store(path: string, value: Readonly<Record<string, unknown>>): Promise<void>;
  /** Creates a file that must not be there yet; false where it is. */
  create(path: string, content: string | Uint8Array, options?: { mode?: number }): Promise<boolean>;
  /** Opens a device, a pipe, or a file for writing at its end. */
  append(path: string): Promise<FileWriter>;
  /** Creates a file for this user alone (0600); what exists under that name is an error. */
  createPrivate(path: string): Promise<PrivateFile>;
  /**
   * Opens a file that `createPrivate` made, to read it and to write at its end. Undefined where the path leads to
   * anything but a regular file with one name that this user owns and nobody else can read or write: no link is
   * followed, and nothing is waited for.
   */
  openPrivate(path: string): Promise<PrivateFile | undefined>;
  /** Resolves once the rename lasts through a power cut, where the system can promise that. */
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  makeFolder(path: string, options?: { mode?: number }): Promise<void>;
  /** Names in a folder. */
  list(path: string): Promise<string[]>;
  /**
   * Removes what killed processes of this machine left half written in a folder. Only for one that the caller has locked:
   * processes of another machine cannot be told from dead ones.
   */
  sweep(folder: string): Promise<void>;
  /** The path with every link resolved; undefined where there is nothing. */
  real(path: string): Promise<string | undefined>;
  /** A fresh private folder for temporary files; the caller removes it. */
  temporaryFolder(): Promise<string>;
  removeFolder(path: string): Promise<void>;
}

export interface FileWriter {
  /** Writes all of the chunks, in one system call where the system can. */
  write(chunks: readonly Uint8Array[]): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** An open file of this user alone. */
export interface PrivateFile extends FileWriter {
  /** Bytes, when it was opened. */
  readonly size: number;
  /** Tells this file from all others of this machine, under whatever name. */
  readonly id: string;
  /** Its bytes from the beginning. */
  stream(): AsyncIterable<Uint8Array>;
  /** Gives it the mode of the file of this user that it is to replace, else the one that new files get. */
  takeModeOf(path: string): Promise<void>;
}

export interface Extraction {
  /** A folder on the disk of the target, to unpack in first. The caller removes it with all that is left in it. */
  workspace: string;
  signal: AbortSignal;
  /** Bytes unpacked so far, of all. */
  onProgress?(done: number, total: number): void;
}
export interface Extracted {
  folder: string;
  /** Links included, folders not. */
  files: number;
  /** Bytes, unpacked. */
  size: number;
}

/** An archive that is not here as a whole: pieces of it are read where they are needed. */
export interface RandomAccess {
  /** Bytes. */
  readonly size: number;
  /** So many bytes from a position on. */
  read(position: number, length: number): Promise<Uint8Array>;
}

/** A file in an archive, as the archive's directory has it. */
export interface ArchivedFile {
  path: string;
  /** Bytes, unpacked. */
  size: number;
  /** Bytes that it takes in the archive. */
  packedSize: number;
  modified: Date;
}

export interface Archives {
  /** The files of a zip archive, from its directory alone. What is no complete archive is a Failure (exit 12). */
  list(archive: RandomAccess): AsyncIterable<ArchivedFile>;
  /**
   * Unpacks a zip archive into a folder, which is made if need be, its parent not: all of it or nothing. No entry
   * leaves the folder, no link points out of it, and sizes are those that the archive's directory says; an archive
   * that would have it otherwise is refused (exit 12).
   */
  extract(archive: string, folder: string, how: Extraction): Promise<Extracted>;
  /** Takes back what an `extract` that was killed had moved into a folder, before its workspace is removed. */
  recover(workspace: string, folder: string): Promise<void>;
}

export interface RunOptions {
  /** Handed to the command on its stdin. */
  input?: string;
  /** `inherit` gives the command this program's terminal (editors, `sandbox exec`). */
  stdio?: "capture" | "inherit";
  env?: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal;
}
export interface RunResult {
  /** Exit code, or 128 + signal number. */
  code: number;
  stdout: string;
  stderr: string;
}

export interface Processes {
  /** Runs a program with its arguments; no shell. */
  run(command: readonly string[], options?: RunOptions): Promise<RunResult>;
  /** Runs a line in the user's shell: `--token-command`, `--check`, `$EDITOR`. */
  shell(line: string, options?: RunOptions): Promise<RunResult>;
}

/** Header names as sent, in their order; one may come twice. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** The head of a request to this machine. */
export interface RequestHead {
  readonly method: string;
  /** Path and query as sent, or a whole address. */
  readonly target: string;
  readonly headers: HeaderPairs;
}
export interface ReceivedRequest extends RequestHead {
  readonly body: Uint8Array;
}
export interface HttpAnswer {
  readonly status: number;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array;
}

/** What answers requests to this machine. */
export interface Service {
  /** Decides by the head alone: an answer refuses the request, whose body is then never kept. */
  admit(head: RequestHead): HttpAnswer | undefined;
  serve(request: ReceivedRequest): Promise<HttpAnswer>;
  /** A request that was admitted and did not arrive: too large, too slow, broken off. */
  lost(head: RequestHead, status: number, reason: string): void;
}

export interface ServerLimits {
  /** Bytes of one body. */
  readonly bodyBytes: number;
  /** Bytes of all bodies that are held at once. */
  readonly heldBytes: number;
  /** Connections at once; further ones are closed. */
  readonly connections: number;
  /** Milliseconds for a request to arrive as a whole. */
  readonly arrivalMs: number;
  /** Milliseconds without a byte in either direction after which a connection is closed. */
  readonly idleMs: number;
}

export interface Listening {
  readonly port: number;
  /** Takes no more requests, gives those that arrived a moment for their answers, and ends all connections. */
  close(): Promise<void>;
}

/** Plain HTTP from and to this machine, beside the API: no token, no retry, no redirect is followed. */
export interface Http {
  /**
   * Serves requests on 127.0.0.1. Port 0 is any free one. A port that cannot be had rejects with the system's own error
   * (`EADDRINUSE`, `EACCES`).
   */
  listen(port: number, limits: ServerLimits, service: Service): Promise<Listening>;
  /**
   * Sends a request to an address and gives the answer as it came. Rejects with the reason in words where none came in
   * time, or one longer than `mostBytes`.
   */
  relay(
    url: URL,
    request: Omit<ReceivedRequest, "target">,
    limits: { timeoutMs: number; mostBytes: number; signal: AbortSignal },
  ): Promise<HttpAnswer>;
}

declare const safeOnTerminal: unique symbol;

/**
 * Text that steers no terminal: every control character that came from outside is shown in it, not obeyed. Only
 * src/terminal/sanitize.ts makes it; a plain string in its place is a type error.
 */
export type TerminalText = string & { readonly [safeOnTerminal]: true };

/**
 * Every write resolves once it is taken, so that a slow reader slows the writer. A closed pipe rejects with ClosedPipe.
 */
export interface Output {
  readonly isTerminal: boolean;
  /** Width in columns; undefined off a terminal. */
  readonly columns: number | undefined;
  /** Text for people. */
  write(text: TerminalText): Promise<void>;
  /** Text for programs: unchanged off a terminal; on one, its control characters are shown. */
  writeData(text: string): Promise<void>;
  /** Bytes as they are; on a terminal, which they could steer, a bug. */
  writeBytes(bytes: Uint8Array): Promise<void>;
}

export interface Input {
  readonly isTerminal: boolean;
  stream(): AsyncIterable<Uint8Array>;
}

/** The reader of our stdout has gone (`| head`): the program ends quietly. */
export class ClosedPipe extends Error {}

/** This program, and what it runs on. */
export interface Program {
  readonly version: string;
  /** Node's version, without a `v`. */
  readonly node: string;
  /** As Node names them: `linux`, `x64`. */
  readonly platform: string;
  readonly arch: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Who holds a lock, and whether a holder still lives. */
export interface Holder {
  readonly name: string;
  /** True also where it cannot be told: for a process of another machine. */
  alive(name: string): boolean;
}
