import { boolean, entity, integer, nullable, string, uncut } from "../../api/field.ts";
import { Failure } from "../../base/errors.ts";
import { severityTones } from "../../base/tone.ts";
import { counted } from "../../base/wording.ts";
import type { Context } from "../../context.ts";
import { type Command, command } from "../../declare/command.ts";
import { declare, type SingleKind } from "../../state/declaration.ts";
import { Findings } from "../../state/finding.ts";
import { readStateFiles } from "../../state/sources.ts";
import type { View } from "../../terminal/view.ts";
import { fileFlags } from "./flags.ts";
import { type StateCommand, singleKindOf } from "./verbs.ts";

const Found = entity("Finding", {
  file: uncut(),
  line: integer(),
  path: uncut("Dotted path of the value"),
  severity: string("error or warning", { tones: severityTones }),
  message: uncut(),
  hint: nullable(uncut()),
});

const strictFlag = {
  strict: boolean("Unknown settings, read-only keys, and secrets in plain text are errors"),
};

/** `validate -f <file>`: reports the problems in files, offline. */
export function validateCommand({ group: _, kind, ...explained }: StateCommand): Command {
  return command({
    name: "validate",
    verb: "validate",
    summary: "Check state files without an instance",
    params: { ...fileFlags, ...strictFlag },
    returns: Found,
    ...explained,
    run: (context, { file, strict = false }) => validateView(context, file, { strict, ...singleKindOf(kind) }),
  });
}

/** The problems in files as rows; exit 2 after them if one is an error. */
async function validateView(
  context: Context,
  sources: readonly string[],
  how: { strict: boolean; single?: SingleKind },
): Promise<View> {
  const findings = new Findings();
  let count = 0;
  async function* files() {
    for await (const file of readStateFiles(context, sources, findings)) {
      count += 1;
      yield file;
    }
  }
  const { sections } = await context.unwatched(() => declare(files(), findings, how));
  const errors = findings.errors.length;
  return {
    rows: findings.list,
    columns: ["file", "line", "path", "severity", "message", "hint"],
    until: async (printed) => {
      await printed;
      if (errors === 0) {
        const objects = sections.reduce((sum, { entries }) => sum + entries.length, 0);
        context.notice(`${counted(count, "file")}, ${counted(objects, "object")}: valid`);
        return;
      }
      const message = `${counted(errors, "error")} in the files`;
      throw new Failure("usage", message, { code: "invalid_state", reason: "nothing was sent" });
    },
  };
}
