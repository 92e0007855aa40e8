import { listHookEvents, listHooks } from "../../api/endpoints/hooks.ts";
import { getJobTokenScope } from "../../api/endpoints/job-token.ts";
import { getProject, listDescendantGroups } from "../../api/endpoints/places.ts";
import { getProtectedEnvironment, listProtectedEnvironments } from "../../api/endpoints/protected-environments.ts";
import { getSettings } from "../../api/endpoints/settings.ts";
import { getCurrentUser, getUser, listUsers } from "../../api/endpoints/users.ts";
import { array, boolean, entity, nullable, oneOf, string, timestamp, uncut } from "../../api/field.ts";
import { whenFound } from "../../base/errors.ts";
import { severityTones } from "../../base/tone.ts";
import { command } from "../../declare/command.ts";
import { shardFlag, shardOf } from "../../jobs/shard.ts";
import { isAtLeast, severities } from "../../settings/hardening.ts";
import { archivedFlag, fleetRequests } from "../../verbs/fleet.ts";
import { releaseRequests } from "../../verbs/release.ts";
import { readReports, reportFlag } from "../../verbs/report-flag.ts";
import { manyProjects, scopeFile } from "../../verbs/scope-names.ts";
import { loadBaseline } from "../settings/baseline-file.ts";
import { readAuditBaseline, rulesFrom, standardBaseline } from "./baseline.ts";
import { columns, type Evidence, openEvidence, refuseExisting } from "./evidence.ts";
import { auditForms, markdownOf, writeAuditReports } from "./reports.ts";
import { compareRows, type Row, readElsewhere, verdicts, withoutSecrets } from "./row.ts";
import { AuditRun, titleOf } from "./run.ts";
import { scopesOf } from "./scopes.ts";

const verdictTones = { pass: "good", fail: "bad", unset: "doubtful", unknown: "doubtful", exempt: "quiet" } as const;
const severity = oneOf(severities as readonly ["low", "medium", "high"], "", { tones: severityTones });

const Audited = entity("Audited", {
  where: uncut("The project, environment, hook, or user; instance for its settings"),
  rule: uncut("Its area and name, such as job-token.open; an area and * if all of the area could not be read"),
  severity,
  verdict: oneOf(verdicts, "fail, pass, exempt (accepted in the baseline file), unset (null or empty), or unknown", {
    tones: verdictTones,
  }),
  finding: nullable(uncut("What is wrong, or why it is accepted or not known")),
  since: nullable(timestamp("Since when, if the instance tells: a time, or a date", { orDate: true })),
  try: nullable(uncut("The command that repairs it, or shows more")),
  id: uncut("The rule", { onlyWith: "rules" }),
  expect: uncut("What the rule expects", { onlyWith: "rules" }),
  why: uncut("The risk", { onlyWith: "rules" }),
});

export const audit = command({
  name: "audit",
  details:
    "Without -g, -p, and --projects-file: the settings and the users of the instance. With them: the hooks of the groups " +
    "and of all groups below, and job tokens and environments of the projects; --settings adds settings and users. A " +
    "group's projects are those at any depth; shared ones, archived ones, and those that will be deleted are left out. " +
    "Findings come first, the most severe on top; ndjson prints rows as they are read. A baseline file accepts findings " +
    "with a reason and a last day; after it, the exemption itself is a finding. What is not known is a row (unknown); " +
    "if it could not be read, the exit code is 9. --out writes evidence that a stranger can check: what the rules read, request " +
    "IDs, times, who asked, the report, and checksums.",
  params: {
    settings: boolean("Settings and users of the instance, in addition to groups or projects"),
    group: array(string("", { placeholder: "id|path" }), "This group and everything below it", { short: "g" }),
    project: manyProjects,
    projects_file: scopeFile("project"),
    archived: archivedFlag,
    baseline: string("File with changed rules and accepted findings", { placeholder: "file", completes: "file" }),
    allowed_hosts: array(string("", { placeholder: "glob" }), "Hosts that webhooks may send to; others are findings"),
    min_severity: oneOf(["low", "medium", "high"], "Only rules of this severity and above", { default: "low" }),
    all: boolean("Show what passed too"),
    rules: boolean("Print the rules instead, after the baseline file; sends nothing"),
    shard: shardFlag,
    report: reportFlag(auditForms),
    out: string("Write a folder of evidence, which must not exist", {
      placeholder: "dir",
      completes: "directory",
      writes: "whole",
    }),
    exit_code: boolean("Exit 10 if there is a finding"),
  },
  requests: [
    getCurrentUser,
    getSettings,
    listUsers,
    ...fleetRequests,
    listDescendantGroups,
    getProject,
    getJobTokenScope,
    listProtectedEnvironments,
    getProtectedEnvironment,
    getUser,
    listHooks,
    listHookEvents,
    ...releaseRequests,
  ],
  returns: Audited,
  prints: "rows",
  markdown: true,
  examples: [
    { line: "audit", note: "settings and users" },
    { line: "audit -g acme --settings --min-severity medium" },
    { line: "audit -g acme --report codequality=audit-quality.json --exit-code -q", note: "in a nightly job" },
    { line: "audit -g acme --out audit-2026-q4", note: "for an auditor" },
    { line: "audit --rules" },
  ],
  related: ["settings audit", "users report", "job-token audit", "envs audit", "hooks audit"],
  async run(context, input) {
    const { baseline: path, min_severity: least = "low", allowed_hosts: hosts, all = false } = input;
    const loaded = path === undefined ? standardBaseline : await loadBaseline(context, path, readAuditBaseline);
    const baseline = { ...loaded, allowedHosts: hosts ?? loaded.allowedHosts };
    const rules = rulesFrom(baseline, least);
    const shard = shardOf(context.env, input.shard);
    if (input.rules === true)
      return {
        rows: rules.filter(({ severity }) => isAtLeast(severity, least)).map(({ otherwise: _, ...rule }) => rule),
        columns: ["id", "severity", "expect", "why", "try"],
      };
    const reports = await readReports(context, input.report, auditForms);
    if (input.out !== undefined) await refuseExisting(context, input.out);
    const isScoped = (input.group ?? input.project ?? input.projects_file) !== undefined;
    const scopes = isScoped ? await scopesOf(context, input) : undefined;
    for (const left of scopes?.leftOut ?? []) context.notice(`left out: ${left}`);
    const { dryRun } = context.config;
    const evidence = input.out === undefined || dryRun ? undefined : await openEvidence(context, input.out);
    const keeps = reports.length > 0 || evidence !== undefined;
    const run = new AuditRun(context, { baseline, rules, least, evidence, keeps, shard });
    const units = run.units(scopes, !isScoped || input.settings === true);
    const ended = async () => {
      const kept = run.kept
        .map((each) => ({ ...each, row: readElsewhere(each.row, context.config) }))
        .sort((a, b) => compareRows(a.row, b.row));
      const rows = kept.map(({ row }) => withoutSecrets(row, context.redact));
      const complete = run.unreadable === 0;
      await writeAuditReports(context, reports, { rules: run.reportedRules, rows: kept, complete });
      if (dryRun && input.out !== undefined) context.notice(`${input.out} would be written`);
      await evidence?.end({ rows, markdown: markdownOf(shownOf(rows, all), titleOf(run)), about: run.about(input) });
      if (run.unreadable > 0) throw run.failure();
    };
    return {
      rows: guarded(run.rows(units, all), evidence),
      columns: [...columns],
      sorted: compareRows,
      finishes: keeps,
      markdown: (rows) => markdownOf(rows as readonly Row[], titleOf(run)),
      summary: () => run.summary(),
      until: async (printed) => {
        try {
          await printed;
          await ended();
        } catch (error) {
          await evidence?.discard();
          throw error;
        }
      },
      exitCode: whenFound(input.exit_code, () => run.counts.fail > 0),
    };
  },
});

function shownOf(rows: readonly Row[], all: boolean): readonly Row[] {
  return all ? rows : rows.filter(({ verdict }) => verdict !== "pass");
}

/** Evidence that cannot be completed is removed. */
async function* guarded(rows: AsyncIterable<Row>, evidence: Evidence | undefined): AsyncGenerator<Row> {
  let whole = false;
  try {
    yield* rows;
    whole = true;
  } finally {
    if (!whole) await evidence?.discard();
  }
}
