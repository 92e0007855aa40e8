import type { Files } from "../host.ts";

interface Reading {
  readonly files: Files;
  /** Reading a pipe hears no signal, and its writer may never end. */
  unwatched<T>(act: () => Promise<T>): Promise<T>;
}

const pipesOf = new WeakMap<Files, Map<string, Promise<Uint8Array>>>();

/** What a shell passes with `<(command)` has its content once; a journal and every command of `each` get all of it. */
export function readPipe({ files, unwatched }: Reading, path: string): Promise<Uint8Array> {
  const pipes = pipesOf.get(files) ?? new Map<string, Promise<Uint8Array>>();
  pipesOf.set(files, pipes);
  const bytes = pipes.get(path) ?? unwatched(() => files.read(path));
  pipes.set(path, bytes);
  return bytes;
}
