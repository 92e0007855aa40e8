import { getSettings } from "../../api/endpoints/settings.ts";
import { boolean, entity, json, nullable, oneOf, string, uncut } from "../../api/field.ts";
import { whenFound } from "../../base/errors.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { type Baseline, readBaseline, standard } from "../../settings/baseline.ts";
import { findSetting } from "../../settings/catalogue.ts";
import { expectedText, fixOf, severities } from "../../settings/hardening.ts";
import { type Judged, judge } from "../../settings/judgment.ts";
import { settingsKind } from "../../state/kinds/settings.ts";
import { writeText } from "../../verbs/output-file.ts";
import { loadDeclaration } from "../state/flags.ts";
import { loadBaseline } from "./baseline-file.ts";

const AuditedSetting = entity("AuditedSetting", {
  setting: uncut(),
  value: json("Current value; secrets are masked"),
  expected: uncut(),
  severity: oneOf(severities as readonly ["low", "medium", "high"]),
  verdict: string("pass, fail, unset (null or empty), unknown (the instance does not show it), or exempt", {
    tones: { pass: "good", fail: "bad", unset: "doubtful", unknown: "doubtful", exempt: "quiet" },
  }),
  why: nullable(uncut("The risk of what failed, or why it is exempt")),
});

export const audit = command({
  name: "audit",
  summary: "Check the settings against hardening rules",
  details:
    "With -f it checks a file offline: a merge request needs no token. A baseline file adds and changes rules, and exempts " +
    "settings with a reason and a last day. --fix-file writes a settings file for settings plan with the values that the failed rules " +
    "require; settings that can lock users out are commented out in it.",
  params: {
    file: string("Check this settings file or state file instead of the instance; - is stdin", {
      short: "f",
      placeholder: "file|-",
      completes: "file",
    }),
    baseline: string("File with your own rules and exemptions", { placeholder: "file", completes: "file" }),
    min_severity: oneOf(["low", "medium", "high"], "Only rules of this severity and above", { default: "low" }),
    fix_file: string("Write values that satisfy the failed rules to this file", {
      placeholder: "file",
      completes: "file",
    }),
    exit_code: boolean("Exit 10 if a rule fails"),
  },
  requests: [getSettings],
  returns: AuditedSetting,
  examples: [
    { line: "settings audit" },
    { line: "settings audit --min-severity high --exit-code" },
    { line: "settings audit -f settings.yaml -o json", note: "offline" },
  ],
  related: ["settings plan", "settings explain"],
  async run(
    context,
    { file, baseline: path, min_severity: least = "low", fix_file: fixFile, exit_code: exitCode = false },
  ) {
    const baseline: Baseline = path === undefined ? standard : await loadBaseline(context, path, readBaseline);
    const values = file === undefined ? await context.api.call(getSettings, {}) : await valuesOf(context, file);
    const today = context.now().toISOString().slice(0, 10);
    const judged = baseline.rules
      .filter(({ severity }) => severities.indexOf(severity) >= severities.indexOf(least))
      .flatMap((rule) => judge(rule, values, baseline.exempt, today))
      .toSorted((a, b) => rankOf(a) - rankOf(b));
    const failed = judged.filter(({ verdict }) => verdict === "fail");
    const status = fixFile === undefined ? undefined : await writeText(context, fixFile, await fixes(failed));
    return {
      rows: judged.map(({ rule: _, ...row }) => row),
      columns: ["setting", "value", "expected", "severity", "verdict", "why"],
      until: async (printed) => {
        await printed;
        context.notice(`${failed.length} of ${judged.length} rules failed`);
        if (status === "written")
          context.notice(`review the fixes: forgectl ${commandLine(["settings", "plan", "-f", String(fixFile)])}`);
        if (status === "would be written") context.notice(`the fixes would be written to ${fixFile}`);
      },
      exitCode: whenFound(exitCode, () => failed.length > 0),
    };
  },
});

/** What failed first, and each verdict by severity. */
function rankOf({ rule, verdict }: Judged): number {
  return (verdict === "fail" ? 0 : severities.length) + severities.length - severities.indexOf(rule.severity);
}

type Values = Readonly<Record<string, unknown>>;

async function valuesOf(context: Context, file: string): Promise<Values> {
  const scope = { at: "instance", name: "" } as const;
  const { sections } = await loadDeclaration(context, [file], { single: { kind: settingsKind, scope } });
  return sections.find(({ kind }) => kind === settingsKind)?.entries[0]?.values ?? {};
}

/** A settings file with the values that failed rules require; those that can lock users out are commented out. */
async function fixes(failed: readonly Judged[]): Promise<string> {
  const { toYaml } = await import("../../state/yaml.ts");
  const entries = failed.map(({ rule, setting, why }) => {
    const fix = fixOf(rule);
    const comment = `# ${why}\n`;
    if (fix === undefined) return `${comment}# ${setting}:   # ${expectedText(rule.expect)}\n`;
    const text = toYaml({ [setting]: fix });
    if (findSetting(setting)?.lockout !== true) return comment + text;
    return `${comment}# can lock users out:\n${text.replace(/^(?=.)/gm, "# ")}`;
  });
  // Comments alone are not a file that settings plan reads.
  const isEmpty = entries.every((entry) => entry.split("\n").every((line) => line === "" || line.startsWith("#")));
  return isEmpty
    ? [...entries, "# No value is set; delete this line with the first one:\n{}\n"].join("\n")
    : entries.join("\n");
}
