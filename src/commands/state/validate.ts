import { boolean, entity, integer, nullable, string } from "../../api/field.ts";
import { Failure } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { type Command, command } from "../../declare/command.ts";
import { declare, type Front } from "../../state/declare.ts";
import { Findings } from "../../state/finding.ts";
import { readStateFiles } from "../../state/sources.ts";
import type { View } from "../../terminal/view.ts";
import { fileFlags } from "./flags.ts";
import { type FrontEnd, frontOf } from "./front.ts";

const Found = entity("Finding", {
  file: string(),
  line: integer(),
  path: string("Dotted path of the value"),
  severity: string("error or warning"),
  message: string(),
  hint: nullable(string()),
});

const strictFlag = {
  strict: boolean("Unknown settings, read-only keys, and secrets in plain text are errors"),
};

/** `validate -f <file>`: what is wrong with files, offline. */
export function validateCommand({ group: _, kind, ...explained }: FrontEnd): Command {
  return command({
    name: "validate",
    verb: "validate",
    summary: "Check state files without an instance",
    params: { ...fileFlags, ...strictFlag },
    returns: Found,
    ...explained,
    run: (context, { file, strict = false }) => validateView(context, file, { strict, ...frontOf(kind) }),
  });
}

/** What is wrong with files, as rows; exit 2 after them where there is an error. */
async function validateView(
  context: Context,
  sources: readonly string[],
  how: { strict: boolean; front?: Front },
): Promise<View> {
  const findings = new Findings();
  let count = 0;
  async function* files() {
    for await (const file of readStateFiles(context, sources, findings)) {
      count += 1;
      yield file;
    }
  }
  const { sections } = await declare(files(), findings, how);
  const errors = findings.errors.length;
  return {
    rows: findings.list,
    columns: ["file", "line", "path", "severity", "message", "hint"],
    until: async (printed) => {
      await printed;
      if (errors === 0) {
        const objects = sections.reduce((sum, { entries }) => sum + entries.length, 0);
        context.notice(`${count === 1 ? "1 file" : `${count} files`}, ${objects} objects: valid`);
        return;
      }
      const message = `${errors === 1 ? "1 error" : `${errors} errors`} in the files`;
      throw new Failure("usage", message, { code: "invalid_state", reason: "nothing was sent" });
    },
  };
}
