import { createHash } from "node:crypto";
import { boolean, entity, integer, nullable, string, uncut } from "../../api/field.ts";
import { Failure } from "../../base/errors.ts";
import { severityTones } from "../../base/tone.ts";
import { counted } from "../../base/wording.ts";
import type { Context } from "../../context.ts";
import { type Command, command } from "../../declare/command.ts";
import { declare, type SingleKind } from "../../state/files/declaration.ts";
import { readStateFiles } from "../../state/files/sources.ts";
import { Findings } from "../../state/finding.ts";
import type { ReportedFinding } from "../../terminal/reports/finding.ts";
import { sarif } from "../../terminal/reports/sarif.ts";
import type { View } from "../../terminal/view.ts";
import { type Report, readReports, reportFlag, writeReports } from "../../verbs/report-flag.ts";
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
    params: { ...fileFlags, ...strictFlag, report: reportFlag(["sarif"]) },
    returns: Found,
    prints: "rows",
    ...explained,
    run: async (context, { file, strict = false, report }) => {
      const reports = await readReports(context, report, ["sarif"]);
      return validateView(context, file, { strict, reports, ...singleKindOf(kind) });
    },
  });
}

const levels = { error: "high", warning: "medium", info: "low" } as const;

/** Rules of files, for a report: each problem has one by its severity. */
const rules = (["error", "warning", "info"] as const).map((name) => ({
  id: `state.${name}`,
  severity: levels[name],
  expect: "state files are valid",
  why: name === "error" ? "the file is refused" : "the file may not do what was meant",
}));

function sarifOf(context: Context, { list }: Findings): string {
  const seen = new Map<string, number>();
  const found = list.map(({ file, line, path, severity, message, hint }): ReportedFinding => {
    // The line is left out, so that a finding stays the same if lines are added above it.
    const content = `${severity}\n${file}\n${path}\n${message}`;
    const count = (seen.get(content) ?? 0) + 1;
    seen.set(content, count);
    return {
      rule: `state.${severity}`,
      where: path === "" ? file : path,
      place: file === "-" ? undefined : { file, line },
      severity: levels[severity],
      state: "open",
      text: `${path === "" ? "the file" : path} ${message}${hint === null ? "" : `; ${hint}`}`,
      hint: null,
      fingerprint: createHash("sha256").update(`${content}\n${count}`).digest("hex"),
    };
  });
  const { program, redact } = context;
  const { version } = program;
  return sarif({ version, rules, findings: found, complete: true, ended: context.now(), redact });
}

/** The problems in files as rows; exit 2 after them if one is an error. */
async function validateView(
  context: Context,
  sources: readonly string[],
  how: { strict: boolean; single?: SingleKind; reports: readonly Report<"sarif">[] },
): Promise<View> {
  const findings = new Findings();
  let count = 0;
  async function* files() {
    for await (const file of readStateFiles(context, sources, findings)) {
      count += 1;
      yield file;
    }
  }
  const { objects } = await context.unwatched(() => declare(files(), findings, how));
  const errors = findings.errors.length;
  return {
    rows: findings.list,
    columns: ["file", "line", "path", "severity", "message", "hint"],
    finishes: true,
    until: async (printed) => {
      await printed;
      await writeReports(context, how.reports, { sarif: () => sarifOf(context, findings) });
      if (errors === 0) {
        context.notice(`${counted(count, "file")}, ${counted(objects, "object")}: valid`);
        return;
      }
      const message = `${counted(errors, "error")} in the files`;
      throw new Failure("usage", message, { code: "invalid_state", nothing: "sent" });
    },
  };
}
