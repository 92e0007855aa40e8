import type { Context } from "../context.ts";
import { type Command, command, type Explained } from "../declare/command.ts";

interface Printed extends Explained {
  standalone?: boolean;
}

/**
 * Prints what needs no request: a text as it is, or a JSON value. Both are the program's own, so that names such as
 * `token` in it are not secrets.
 *
 * @param content created on demand; it depends on no input, but may fit the terminal
 */
export function print(
  name: string,
  content: (context: Context) => string | object | Promise<string>,
  printed: Printed,
): Command {
  return command({
    name,
    verb: "print",
    ...printed,
    run: async (context) => {
      const made = await content(context);
      return typeof made === "string" ? { bytes: bytesOf(made), text: true } : { value: made, reveal: true };
    },
  });
}

/** A text as the one piece of a stream. */
export async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
