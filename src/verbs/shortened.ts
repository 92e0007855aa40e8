import type { ListEndpoint } from "../api/endpoint.ts";
import type { Fields } from "../api/field.ts";
import { Failure, UsageError } from "../base/errors.ts";
import type { Context } from "../context.ts";
import { choose } from "./choose.ts";

/** An ID of which a beginning may be typed that no other of the same parent has. */
export interface Shortened {
  /** The parameter that holds it. */
  readonly name: string;
  /** What it is the ID of: "discussion". */
  readonly noun: string;
  /** Characters of the whole ID. */
  readonly length: number;
  /** Lists all that it may be. */
  readonly among: readonly ListEndpoint<never, Fields>[];
  /** The command that shows the IDs. */
  readonly listed: string;
  /** A candidate in a few words, beside its ID. */
  readonly called: (row: object) => string;
}

/**
 * The input with the whole of a shortened ID, looked up where it is not whole. A beginning that several have is a
 * UsageError that names them, one that none has a Failure (exit 3).
 */
export async function lookedUp<I extends object>(context: Context, input: I, id: Shortened): Promise<I> {
  const { name, noun, length, among, listed, called } = id;
  const beginning = String((input as Record<string, unknown>)[name]).toLowerCase();
  if (beginning.length === length) return input;
  const found: { id: string }[] = [];
  for await (const row of context.api.list(choose(among, input), input, { limit: undefined })) {
    if (String(row.id).toLowerCase().startsWith(beginning)) found.push(row as { id: string });
  }
  const [only] = found;
  if (only === undefined) {
    throw new Failure("notFound", `no ${noun} has an ID that begins with ${beginning}`, {
      hint: `forgectl ${listed} shows the IDs`,
    });
  }
  if (found.length === 1) return { ...input, [name]: only.id };
  throw new UsageError(`${found.length} ${noun}s have an ID that begins with ${beginning}`, {
    reason: found.map((row) => `${row.id}: ${called(row)}`).join("\n"),
    hint: "give more of the ID",
  });
}
