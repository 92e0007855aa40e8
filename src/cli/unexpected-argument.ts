import type { Field } from "../api/field.ts";
import { UsageError } from "../base/errors.ts";
import { isSecretName } from "../base/secret-names.ts";
import { mask } from "../base/secrets.ts";
import { commandLine } from "../base/shell-words.ts";
import type { Command } from "../declare/command.ts";
import { argumentTerms, type FlagDescription } from "../declare/describe.ts";
import { flagsOf } from "./suggest.ts";

interface Typed {
  command: Command;
  path: readonly string[];
  /** The words of the line. */
  argv: readonly string[];
}

/** The error for the first word after the arguments that a command takes. */
export function unexpectedArgument(stray: string, typed: Typed): UsageError {
  const { command, path, argv } = typed;
  const before = argv.slice(0, argv.lastIndexOf(stray));
  const flag = flagsOf(command).find(({ long, short, placeholder }) => {
    return placeholder !== undefined && [long, short].includes(before.at(-2));
  });
  // A token is often typed where none is taken.
  const isSecret = path[0] === "auth" || isSecretName(flag?.name ?? "");
  const [, name = ""] = /^([\w.-]+)=/.exec(stray) ?? [];
  const shown = isSecret ? mask : isSecretName(name) ? `${name}=${mask}` : stray;
  const hint = isSecret ? undefined : hintFor(stray, { ...typed, before, flag });
  const error = new UsageError(`unexpected argument: ${shown}`, hint === undefined ? {} : { hint });
  error.command = path.join(" ");
  return error;
}

interface Place extends Typed {
  before: readonly string[];
  /** The flag whose value is the word before. */
  flag: FlagDescription | undefined;
}

function hintFor(stray: string, { command, path, argv, before, flag }: Place): string | undefined {
  if (stray === "help") return "--help";
  const [method] = path[0] === "api" ? before.filter((word) => /^(?:GET|HEAD|POST|PUT|PATCH|DELETE)$/i.test(word)) : [];
  if (method !== undefined) return `-X ${method.toUpperCase()}`;
  const text = `${before.at(-1)} ${stray}`;
  if (flag !== undefined && isText(flag.field)) return `quote a text with spaces: ${commandLine([flag.long, text])}`;
  const scopes = flagsOf(command).filter(({ field }) => field.scope !== undefined);
  const isTyped = ({ long, short }: FlagDescription) =>
    argv.some(
      (word) => word === long || word.startsWith(`${long}=`) || (short !== undefined && word.startsWith(short)),
    );
  const own = path[0] === "groups" ? "group" : "project";
  const scope = scopes.find(({ field }) => field.scope === own) ?? scopes[0];
  if (scope !== undefined && !scopes.some(isTyped)) return commandLine([scope.short ?? scope.long, stray]);
  const last = argumentTerms(command.args).at(-1);
  return last !== undefined && isText(last.field) ? `quote a text with spaces: ${commandLine([text])}` : undefined;
}

/** Whether its values may have spaces: a text or the name of a file, not the name of a thing on the instance. */
function isText({ kind, scope, completes }: Field): boolean {
  return kind === "string" && scope === undefined && (completes === undefined || completes === "file");
}
