import type { Source } from "./body.ts";

/** A content and where it is to go. */
export interface Wanted {
  source: Source;
  /** What it is, for people: "artifacts of job 12". */
  label: string;
  /** `-O`: a file, `-` for stdout; undefined for a file of this folder named as below. */
  output?: string | undefined;
  /** `--force`: without `-O`, too, a file that exists is replaced. */
  force?: boolean | undefined;
  /** The file's name where `-O` is not given. It comes from what was typed, never from a server. */
  name: string;
  /** The server's name is better than `name`: it is taken, made safe. */
  serverName?: boolean;
  /** The content's SHA-256, hexadecimal, where it is known before or from the answer's headers. */
  sha256?: (headers: Readonly<Record<string, string>>) => string | undefined;
  /** Looks at the file while it has no name yet, and throws where it must not get one. Bytes to stdout pass unseen. */
  verify?: (file: string) => Promise<void>;
  /** No other run downloads into the folder: what is left there of this content is a dead one's. */
  alone?: boolean;
  /** Sees the whole content on its way to a file, and decides whether the file gets its name. */
  inspector?: Inspector;
}

/** Looks at a content as it passes: what was received by an earlier run comes first. */
export interface Inspector {
  /** A promise where the next chunk has to wait. Throws on what makes the rest useless. */
  take(chunk: Uint8Array): Promise<void> | undefined;
  /** After the last chunk; throws where the content is not what it should be. */
  finish(): Promise<void>;
}
