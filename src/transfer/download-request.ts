import type { Source } from "./body.ts";
import type { GitBlob } from "./git-blob.ts";

/** A content and its target. */
export interface DownloadRequest {
  source: Source;
  /** What it is, for people: "artifacts of job 12". */
  label: string;
  /** `-O`: a file, `-` for stdout; undefined for a file of this folder named as below. */
  output?: string | undefined;
  /** `--force`: replaces an existing file even without `-O`. */
  force?: boolean | undefined;
  /** The file's name without `-O`. It is derived from what was typed, never from a server. */
  name: string;
  /** Prefers the server's file name, made safe, to `name`. */
  serverName?: boolean;
  /** The content's hexadecimal SHA-256, if known beforehand or from the answer's headers. */
  sha256?: (headers: Readonly<Record<string, string>>) => string | undefined;
  /** The blob in a repository that the content is, if the answer's headers say so: it counts beside the SHA-256. */
  blob?: (headers: Readonly<Record<string, string>>) => GitBlob | undefined;
  /**
   * Checks the file before it is renamed to its target, and throws to prevent that. Bytes to stdout are not checked.
   */
  verify?: (file: string) => Promise<void>;
  /** Sees the whole content before the file is renamed to its target, and may refuse it. */
  inspector?: Inspector;
}

/** Inspects a content as it arrives, starting with the bytes that an earlier run received. */
export interface Inspector {
  /**
   * Returns a promise if the next chunk must wait. Throws if the rest of the content is useless. What it keeps of the
   * chunk it copies: the memory is used again.
   */
  take(chunk: Uint8Array): Promise<void> | undefined;
  /** Called after the last chunk; throws if the content is not valid. */
  finish(): Promise<void>;
}
