import { array, boolean, string } from "../api/field.ts";
import { missing, UsageError } from "../base/errors.ts";
import { nearest } from "../base/nearest.ts";
import { type Command, command } from "../declare/command.ts";
import { commandsIn, leadFrom } from "../declare/describe.ts";
import { outputSchema } from "../reference/output-schema.ts";
import { type Entry, entriesOf, globalEntries, loadNodes } from "../reference/tree.ts";

/** The version of the JSON: it becomes 2 if a key is renamed or removed, not if one is added. */
const schema = 1;

interface NamedEntry extends Entry {
  readonly name: string;
}

/** The whole command tree, or a part of it, for people and for programs. */
export function commandsCommand(entries: readonly NamedEntry[]): Command {
  return command({
    name: "commands",
    details:
      "A table has one line per command. In JSON, NDJSON, and YAML each one contains its usage, examples, arguments, " +
      "flags, requests with the role and tier they need, the fields of its result with their types, its exit codes, and " +
      "whether it takes a CI job token. JSON and YAML are one object, whose schema is the version of its keys. Words " +
      "select a command or a group; --schema prints the JSON Schema of what the command prints with -o json.",
    args: { words: array(string(), "Words of a command or a group (default: all)", { completes: "own-command" }) },
    params: {
      schema: boolean("Print the JSON Schema (draft-07) of the command's output"),
      global_flags: boolean("List the flags that every command takes instead"),
    },
    examples: [
      { line: "commands" },
      { line: "commands users list -o json --jq '.commands[0].fields'", note: "what a command prints" },
      { line: "commands -o json --jq '.commands[] | select(.deletes != false) | .command'", note: "what may delete" },
      { line: "commands --schema users list > users.schema.json" },
      { line: "commands --global-flags --fields flag,placeholder,description" },
    ],
    related: ["skill", "man", "completion install"],
    standalone: true,
    async run(_context, { words = [], schema: wantsSchema, global_flags: globals }) {
      if (globals) {
        const columns = ["flag", "short", "placeholder", "description"];
        return { rows: globalEntries(), columns, enclosed: { name: "global_flags", beside: { schema } } };
      }
      const found = await commandsAt(entries, words);
      if (wantsSchema) return { value: schemaOf(found, words), reveal: true };
      return {
        rows: entriesOf(found),
        columns: ["command", "summary"],
        enclosed: { name: "commands", beside: { schema } },
        reveal: true,
      };
    },
  });
}

type Found = { path: string[]; command: Command }[];

function schemaOf(found: Found, words: readonly string[]): object {
  const [only] = found;
  if (only !== undefined && only.path.length === words.length) return outputSchema(only.path, only.command);
  const details = { code: "missing_argument", hint: "name one command: forgectl commands --schema users list" };
  if (words.length === 0) throw missing("<words>", details);
  throw new UsageError(`"${words.join(" ")}" is a group of commands`, details);
}

/** The commands that words lead to: all of them without words. */
async function commandsAt(entries: readonly NamedEntry[], words: readonly string[]): Promise<Found> {
  const [first, ...below] = words;
  const top = entries.filter(({ name }) => first === undefined || name === first);
  const nodes = await loadNodes(top);
  const [node] = nodes;
  if (first === undefined) return nodes.flatMap((each) => [...commandsIn(each)]);
  if (node === undefined) throw unknown(words, 0, entries);
  const { node: found, count } = leadFrom(node, below);
  if (count < below.length) throw unknown(words, count + 1, found.kind === "group" ? found.children : []);
  return [...commandsIn(found, words.slice(0, count))];
}

function unknown(words: readonly string[], at: number, known: readonly { readonly name: string }[]): UsageError {
  const names = known.map(({ name }) => name);
  const meant = nearest(words[at] ?? "", names);
  return new UsageError(`unknown command '${words.slice(0, at + 1).join(" ")}'`, {
    code: "unknown_command",
    ...(meant !== undefined && { hint: `did you mean ${[...words.slice(0, at), meant].join(" ")}?` }),
  });
}
