import { strategies } from "../../api/endpoints/hooks.ts";
import { array, boolean, oneOf, string } from "../../api/field.ts";
import { UsageError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { isPiped, readTextSource, withoutLineEnd } from "../../transfer/source.ts";
import { warnOfExposed } from "../../verbs/leak-warning.ts";
import { kinds, parseKinds } from "./event-kinds.ts";
import { parseHeaders } from "./headers.ts";
import type { Attributes } from "./stored-secrets.ts";

export const secretDetails =
  `Kinds of events: ${kinds.join(", ")}; or all, none. With all, kinds that instances ignore are a warning. The secret token and the values of headers are never shown. ` +
  "A branch filter is a pattern with * (wildcard), an RE2 expression (regex), or ignored (all_branches).";

/** The flags for creating and changing a hook. */
export const changeFlags = {
  name: string("Name"),
  description: string("Description"),
  events: string("Kinds of events: push,note, all, or none", {
    placeholder: "list",
    completes: "hook-event",
    commas: true,
  }),
  branch_filter: string("Only pushes to matching branches", { placeholder: "filter" }),
  branch_filter_strategy: oneOf(strategies, "How --branch-filter is interpreted (a new hook: default wildcard)"),
  ssl_verification: boolean("Check the receiver's certificate", { negatable: true }),
  token_stdin: boolean("Read the secret token, which is sent with each delivery, from stdin"),
  token_file: string("Read the secret token from this file", { placeholder: "file", completes: "file" }),
  template_file: string("Read the template of the body from this file", {
    placeholder: "file",
    completes: "file",
  }),
  header: array(string("", { placeholder: "key: value", secret: true }), "Header to send with each delivery"),
  header_file: string("Read headers from this file, one per line: arguments show in process lists", {
    placeholder: "file",
    completes: "file",
  }),
};

interface ChangeFlags {
  name?: string | undefined;
  description?: string | undefined;
  events?: string | undefined;
  branch_filter?: string | undefined;
  branch_filter_strategy?: (typeof strategies)[number] | undefined;
  ssl_verification?: boolean | undefined;
  token_stdin?: boolean | undefined;
  token_file?: string | undefined;
  template_file?: string | undefined;
  header?: string[] | undefined;
  header_file?: string | undefined;
}

/**
 * The requested attributes, by the API's names; undefined if there are none. Files are read here.
 *
 * @param live the hook before the change; undefined for a new one
 */
export async function readChange(context: Context, flags: ChangeFlags, live?: object): Promise<Attributes | undefined> {
  checkSources(flags);
  const wanted = flags.events === undefined ? {} : parseKinds(flags.events, live);
  const token = await readToken(context, flags);
  const headers = await readHeaders(context, flags);
  const attributes: Attributes = {
    name: flags.name,
    description: flags.description,
    ...wanted,
    push_events_branch_filter: flags.branch_filter,
    branch_filter_strategy: flags.branch_filter_strategy,
    enable_ssl_verification: flags.ssl_verification,
    token,
    custom_webhook_template:
      flags.template_file === undefined ? undefined : await readTemplate(context, flags.template_file),
    custom_headers: headers,
  };
  return Object.values(attributes).every((value) => value === undefined) ? undefined : attributes;
}

/** Only one flag can read stdin. */
function checkSources(flags: ChangeFlags): void {
  if (flags.token_stdin && flags.token_file !== undefined) {
    throw new UsageError("give only one of --token-stdin and --token-file");
  }
  const files = {
    "--token-file": flags.token_file,
    "--template-file": flags.template_file,
    "--header-file": flags.header_file,
  };
  const readers = Object.entries(files).flatMap(([flag, file]) => (file === "-" ? [`${flag} -`] : []));
  if (flags.token_stdin) readers.unshift("--token-stdin");
  if (readers.length > 1) throw new UsageError(`only one of ${readers.join(" and ")} can read stdin`);
}

function readToken(context: Context, flags: ChangeFlags): Promise<string | undefined> | undefined {
  if (flags.token_stdin) return readSecretToken(context, "-", "--token-stdin");
  return flags.token_file === undefined ? undefined : readSecretToken(context, flags.token_file, "--token-file");
}

/** The token is never repeated; a line break at the end of the file is not part of it. */
export async function readSecretToken(context: Context, source: string, flag: string): Promise<string> {
  if (source === "-" && context.stdin.isTerminal) {
    throw new UsageError(`${flag}: stdin is a terminal, which would show the token`);
  }
  const token = withoutLineEnd(await readTextSource(context, source));
  if (token === "") throw new UsageError(`${flag}: the token is empty`);
  if (/\p{Cc}/u.test(token)) throw new UsageError(`${flag}: the token contains a line break or a control character`);
  return token;
}

/** What a command that failed leaves in a pipe would remove the hook's template. */
async function readTemplate(context: Context, source: string): Promise<string> {
  const text = await readTextSource(context, source);
  if (text !== "" || !(await isPiped(context, source))) return text;
  throw new UsageError("--template-file: has no template", {
    hint: "to remove the template of a hook, name an empty file",
  });
}

async function readHeaders(context: Context, flags: ChangeFlags) {
  if (flags.header === undefined && flags.header_file === undefined) return undefined;
  const typed = (flags.header ?? []).map((text) => ({ text, where: "--header" }));
  for (const { key } of parseHeaders(typed)) warnOfExposed(context, key, "give it with --header-file");
  const lines =
    flags.header_file === undefined ? [] : (await readTextSource(context, flags.header_file)).split(/\r?\n/);
  const read = lines.map((text, index) => ({ text, where: `--header-file: line ${index + 1}` }));
  const written = read.filter(({ text }) => text.trim() !== "");
  // Sent, it would remove all headers, and their values cannot be read again.
  if (flags.header_file !== undefined && written.length === 0) throw new UsageError("--header-file: has no header");
  return parseHeaders([...typed, ...written]);
}
