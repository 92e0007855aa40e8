import type { ListEndpoint } from "../api/endpoint.ts";
import type { Fields } from "../api/field.ts";
import { Failure, UsageError } from "../base/errors.ts";
import type { Context } from "../context.ts";
import { choose } from "./choose.ts";

/** An ID that may be abbreviated to a prefix that is unique within its parent. */
export interface Shortened {
  /** The parameter that holds it. */
  readonly name: string;
  /** The noun for what it identifies: "discussion". */
  readonly noun: string;
  /** Length of the full ID, in characters. */
  readonly length: number;
  /** Lists the candidates. */
  readonly among: readonly ListEndpoint<never, Fields>[];
  /** The command that shows the IDs. */
  readonly listed: string;
  /** Describes a candidate in a few words, next to its ID. */
  readonly called: (row: object) => string;
}

/**
 * The input with the full ID, looked up if only a prefix was typed. A prefix of several IDs is a UsageError that names
 * them, a prefix of none a Failure (exit 3).
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
