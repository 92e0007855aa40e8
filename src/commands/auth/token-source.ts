import { boolean, string } from "../../api/field.ts";
import { missing, UsageError } from "../../base/errors.ts";
import { runTokenCommand } from "../../config/credential.ts";
import { checkToken } from "../../config/token.ts";
import type { Context } from "../../context.ts";
import { readTextSource, withoutLineEnd } from "../../transfer/source.ts";

export const tokenFlags = {
  token_stdin: boolean("Read the token from stdin"),
  token_file: string("Read the token from this file", { placeholder: "file", completes: "file" }),
  token_command: string("Run this command for the token, now and each time it is needed; nothing secret is stored", {
    placeholder: "cmd",
  }),
};

interface TokenFlags {
  token_stdin?: boolean | undefined;
  token_file?: string | undefined;
  token_command?: string | undefined;
}

export interface NewToken {
  token: string;
  source: string;
  /** Stored in place of the token. */
  command?: string;
}

/**
 * The source of the token to sign in with: the one that was named, or a prompt. The returned function reads it. The
 * token is never repeated.
 */
export function tokenSource(context: Context, flags: TokenFlags): () => Promise<NewToken> {
  const { token_stdin: stdin, token_file: file, token_command: line } = flags;
  const given = [
    stdin && "--token-stdin",
    file !== undefined && "--token-file",
    line !== undefined && "--token-command",
  ];
  const named = given.filter((flag) => typeof flag === "string");
  if (named.length > 1) throw new UsageError(`give only one of ${named.join(" and ")}`);
  if (line !== undefined) return () => fromCommand(context, line);
  if (file !== undefined) return async () => fromText(await readTextSource(context, file), "--token-file");
  if (stdin) {
    if (context.stdin.isTerminal)
      throw new UsageError("--token-stdin: stdin is a terminal, which would show the token");
    return async () => fromText(await readTextSource(context, "-"), "--token-stdin");
  }
  if (context.prompt.available) {
    return async () => fromText(await context.prompt.secret("Access token:"), "the token");
  }
  throw missing("--token-stdin, --token-file <file>, or --token-command <cmd>", {
    code: "missing_token",
    reason: "without a terminal the token cannot be asked for",
    hint: "to store nothing, set FORGECTL_TOKEN instead",
  });
}

async function fromCommand(context: Context, line: string): Promise<NewToken> {
  if (line.trim() === "") throw new UsageError("--token-command: is empty");
  const { token, source } = await runTokenCommand(context, line, "--token-command");
  return { token, source, command: line };
}

/** Files and pipes end with a line break, which is not part of the token. */
function fromText(text: string, source: string): NewToken {
  return { token: checkToken(withoutLineEnd(text), source), source };
}
