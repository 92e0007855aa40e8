import type { Chunks } from "./base/chunks.ts";

/** The machine as interfaces. `app/` passes in the implementations, from `node/`. */

export interface FileFacts {
  kind: "file" | "folder" | "other";
  /** Bytes. */
  size: number;
  /** Permission bits. */
  mode: number;
  modifiedMs: number;
}

/**
 * Paths may be relative to the working directory. An error of the system is a FileError with the system's
 * `code`.
 */
export interface Files {
  /** Facts about the file at a path, links followed; undefined if none exists. */
  facts(path: string): Promise<FileFacts | undefined>;
  /** Whether this user may write to what exists at a path: the mode, and what the system says. */
  isWritable(path: string): Promise<boolean>;
  /** A file's bytes; more than `limit` (256 MiB unless given) are an error. */
  read(path: string, limit?: number): Promise<Uint8Array>;
  /**
   * A file's bytes, and its path with every link resolved; undefined if it does not exist. The path is that of the file
   * that was read, however often it is replaced meanwhile.
   */
  readReal(path: string): Promise<{ path: string; bytes: Uint8Array } | undefined>;
  /** A file's bytes in chunks of up to 1 MiB, from `start` on. */
  stream(path: string, start?: number): AsyncIterable<Uint8Array>;
  /** A regular file's bytes in large chunks, each valid until the next is requested: the buffers are reused. */
  lend(path: string): AsyncIterable<Uint8Array>;
  /**
   * Writes beside the target under a temporary name, syncs, and renames: the target is the old or the new one. This,
   * `create`, `append`, and `createPrivate` create missing folders above the path.
   */
  write(path: string, content: string | Uint8Array, options?: { mode?: number }): Promise<void>;
  /**
   * Replaces a JSON file of this user alone (0600); a link to it is kept. The file is never missing or incomplete.
   */
  store(path: string, value: Readonly<Record<string, unknown>>): Promise<void>;
  /** Creates a file; false if it already exists. */
  create(path: string, content: string | Uint8Array, options?: { mode?: number }): Promise<boolean>;
  /** Opens a device, a pipe, or a file for appending. */
  append(path: string): Promise<FileWriter>;
  /** Creates a file (0600 unless a mode is given, under the umask); an existing file of that name is an error. */
  createPrivate(path: string, options?: { mode?: number }): Promise<PrivateFile>;
  /**
   * Opens a file that `createPrivate` made, for reading and appending. Undefined if the path is anything but a regular
   * file with one name that only this user owns, reads, and writes: no link is followed, and opening never blocks.
   */
  openPrivate(path: string): Promise<PrivateFile | undefined>;
  /** The same, with the reason if it is not such a file; undefined if nothing exists. */
  openOwn(path: string): Promise<PrivateFile | Doubt | undefined>;
  /**
   * Reads a file, links followed, and through the same handle whether `openOwn` would accept it (`doubt`), and whether
   * another user than this one and root may have written it (`foreign`). A pipe or a device is an error.
   */
  readOwn(path: string): Promise<OwnFile>;
  /** The first part of a path below a folder, or link to it, that another user (not root) made; or one missing. */
  foreignPart(path: string, folder: string, mustExist: boolean): Promise<string | undefined>;
  /** Resolves once the rename survives a power cut, if the system can guarantee that. */
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  makeFolder(path: string, options?: { mode?: number }): Promise<void>;
  /** Creates a folder of this user alone (0700); false if anything has that name. Missing folders above are created. */
  createFolder(path: string): Promise<boolean>;
  /** Names in a folder. */
  list(path: string): Promise<string[]>;
  /** What is in a folder, in order; links are not followed. In a deep tree it costs less than `real` of each. */
  entries(path: string): Promise<FolderEntry[]>;
  /**
   * Removes temporary files that killed processes of this machine left in a folder, which the caller must have locked:
   * processes of another machine cannot be distinguished from dead ones.
   */
  sweep(folder: string): Promise<void>;
  /** The path with every link resolved; undefined if it does not exist. */
  real(path: string): Promise<string | undefined>;
  /** Creates a private folder for temporary files; the caller removes it. */
  temporaryFolder(): Promise<string>;
  /** Removes a folder of this user and what is in it; a link, and another user's folder, are left alone. */
  removeFolder(path: string): Promise<void>;
  /** On Linux, paths in this folder lead into this very one, whatever has its name meanwhile, until `release`. */
  hold(folder: string): Promise<HeldFiles>;
}

/** `isInPlace`: whether the name of the folder still leads to it. `archives` lead into this very folder too. */
export type HeldFiles = Files & { readonly archives: Archives; isInPlace(): boolean; release(): void };

export interface FolderEntry {
  readonly name: string;
  /** `other`: also a link. */
  readonly kind: FileFacts["kind"];
}

export interface FileWriter {
  /** Writes all of the chunks, in one system call where the system can. */
  write(chunks: Chunks): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Why a file is not this user's alone: a link to it or a further name, something else than a file, another owner, or
 * others can read or write it. On Windows, where home folders are private, only the first two are known.
 */
export type Doubt = "link" | "kind" | "owner" | "open" | "writable";

export interface OwnFile {
  readonly bytes: Uint8Array;
  readonly doubt: Doubt | undefined;
  readonly foreign: Doubt | undefined;
}

/** An open private file. */
export interface PrivateFile extends FileWriter {
  /** Size in bytes when it was opened. */
  readonly size: number;
  /** Identifies this file on this machine, independent of its name. */
  readonly id: string;
  /** Its bytes from the beginning. */
  stream(): AsyncIterable<Uint8Array>;
  /** Whether the path is still this file's name, and not that of another file or a link. */
  isAt(path: string): Promise<boolean>;
  /** Cuts it to that many bytes. */
  truncate(size: number): Promise<void>;
  /** Sets the mode of the user's file that it will replace, or the default mode of new files. */
  takeModeOf(path: string): Promise<void>;
}

export interface Extraction {
  /** A temporary folder on the target's disk to unpack into. The caller removes it. */
  workspace: string;
  signal: AbortSignal;
  /** Bytes unpacked so far, and in total. */
  onProgress?(done: number, total: number): void;
}
export interface Extracted {
  folder: string;
  /** Links included, folders not. */
  files: number;
  /** Bytes, unpacked. */
  size: number;
}

/** An archive that is read in pieces, as needed. */
export interface RandomAccess {
  /** Bytes. */
  readonly size: number;
  /** Reads `length` bytes from `position`. */
  read(position: number, length: number): Promise<Uint8Array>;
}

/** A file in an archive, according to the archive's directory. */
export interface ArchivedFile {
  path: string;
  /** Bytes, unpacked. */
  size: number;
  /** Compressed size in bytes. */
  packedSize: number;
  modified: Date;
}

export interface Archives {
  /** The files of a zip archive, from its directory alone. An incomplete or invalid archive is a Failure (exit 12). */
  list(archive: RandomAccess): AsyncIterable<ArchivedFile>;
  /**
   * Unpacks a zip archive into a folder, which is created if missing (its parent is not): all of it or nothing. No
   * entry leaves the folder, no link points out of it, and sizes are those of the archive's directory; any other
   * archive is refused (exit 12).
   */
  extract(archive: string, folder: string, how: Extraction): Promise<Extracted>;
  /** Undoes what a killed `extract` had moved into a folder, before its workspace is removed. */
  recover(workspace: string, folder: string): Promise<void>;
}

export interface RunOptions {
  /** Sent to the command's stdin. */
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

declare const safeOnTerminal: unique symbol;

/**
 * Text that is safe for a terminal: control characters from outside are shown, not obeyed. Only
 * src/terminal/sanitize.ts makes it; a plain string in its place is a type error.
 */
export type TerminalText = string & { readonly [safeOnTerminal]: true };

/**
 * A write resolves when the data is accepted (backpressure). A closed pipe rejects with ClosedPipe.
 */
export interface Output {
  readonly isTerminal: boolean;
  /** Width in columns; undefined if this is not a terminal. */
  readonly columns: number | undefined;
  /** Text for people. */
  write(text: TerminalText): Promise<void>;
  /** Text for programs: unchanged, except that control characters are shown on a terminal. */
  writeData(text: string): Promise<void>;
  /** Bytes unchanged; writing them to a terminal, which they could control, is a bug. */
  writeBytes(bytes: Uint8Array): Promise<void>;
}

export interface Input {
  readonly isTerminal: boolean;
  stream(): AsyncIterable<Uint8Array>;
}

/** The reader closed stdout (`| head`): the program ends quietly. */
export class ClosedPipe extends Error {}

/** This program and its platform. */
export interface Program {
  readonly version: string;
  /** Node's version, without a `v`. */
  readonly node: string;
  /** As Node names them: `linux`, `x64`. */
  readonly platform: string;
  readonly arch: string;
  /** A file of the build, by its name below dist/. */
  part(name: string): Uint8Array | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Identifies the holder of a lock, and whether its process is still running. */
export interface Holder {
  readonly name: string;
  /** Also true if unknown: for a process of another machine. */
  alive(name: string): boolean;
}
