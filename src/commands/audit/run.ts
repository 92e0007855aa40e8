import type { ObservedAnswer } from "../../api/api.ts";
import { Failure, reasonIn } from "../../base/errors.ts";
import { counted } from "../../base/wording.ts";
import type { Context } from "../../context.ts";
import { streamed } from "../../jobs/concurrently.ts";
import { isInShard, type Shard } from "../../jobs/shard.ts";
import { isAtLeast, type Severity, severities } from "../../settings/hardening.ts";
import type { Summary } from "../../terminal/view.ts";
import { Lookups } from "../envs/weaknesses.ts";
import { amender } from "./amendments.ts";
import {
  environmentsUnit,
  hooksUnit,
  type Judgment,
  jobTokenUnit,
  settingsUnit,
  type Unit,
  unlistedUnits,
  usersUnit,
} from "./areas.ts";
import type { AuditBaseline } from "./baseline.ts";
import type { Evidence } from "./evidence.ts";
import { type Distinct, type Row, rowOf, unreadableRow, type Verdict } from "./row.ts";
import { type AuditRule, areaOf, lapsedRule } from "./rules.ts";
import type { Scopes } from "./scopes.ts";

interface Options {
  readonly baseline: AuditBaseline;
  /** Those that are of the minimum severity or above somewhere. */
  readonly rules: readonly AuditRule[];
  readonly least: Severity;
  readonly evidence: Evidence | undefined;
  /** Only the scopes of this part; undefined is all. */
  readonly shard: Shard | undefined;
  /** Rows are kept for reports. */
  readonly keeps: boolean;
}

/** Failures of one scope alone; anything else ends the audit. */
const local = new Set(["unauthenticated", "notFound", "forbidden", "refused", "partial"]);

/** One audit: reads units concurrently, judges them, and counts. */
export class AuditRun {
  readonly counts: Record<Verdict, number> = { fail: 0, unknown: 0, unset: 0, exempt: 0, pass: 0 };
  readonly bySeverity: Record<Severity, number> = { high: 0, medium: 0, low: 0 };
  readonly kept: Distinct[] = [];
  unreadable = 0;
  #units = 0;
  #firstFailure: Failure | undefined;
  readonly #context: Context;
  readonly #options: Options;
  readonly #rules: ReadonlyMap<string, AuditRule>;
  readonly #amend: ReturnType<typeof amender>;
  readonly #today: string;

  constructor(context: Context, options: Options) {
    this.#context = context;
    this.#options = options;
    this.#rules = new Map(options.rules.map((rule) => [rule.id, rule]));
    this.#today = context.now().toISOString().slice(0, 10);
    this.#amend = amender(options.baseline.entries, this.#today);
  }

  /** What is to be read; areas of which no rule is asked for are left out. */
  units(scopes: Scopes | undefined, instance: boolean): Unit[] {
    const { baseline, rules } = this.#options;
    const lookups = new Lookups(this.#context);
    const asked = new Set(rules.map(({ id }) => areaOf(id)));
    const units = [
      ...(instance ? [settingsUnit(baseline), usersUnit(baseline)] : []),
      ...(scopes?.groups ?? []).map((group) => hooksUnit(group, baseline.allowedHosts)),
      ...(scopes?.projects ?? []).flatMap((project) => [jobTokenUnit(project), environmentsUnit(project, lookups)]),
      ...(scopes?.unlisted ?? []).flatMap(unlistedUnits),
    ];
    // The path of a scope is the same on every machine, however it was typed.
    const idOf = ({ area, scope }: Unit) => (scope === "instance" ? area : scope.toLowerCase());
    const isOwn = (unit: Unit) => unit.isOfAll || isInShard(this.#options.shard, idOf(unit));
    return units.filter((unit) => asked.has(unit.area) && isOwn(unit));
  }

  /** @param all passes too */
  async *rows(units: readonly Unit[], all: boolean): AsyncGenerator<Row> {
    this.#units = units.length;
    const task = this.#context.progress.start("auditing", { total: units.length, unit: "items" });
    let done = 0;
    const limits = { limit: this.#context.config.concurrency, ordered: true };
    try {
      for (const each of this.#lapsed()) yield this.#counted(each);
      const found = streamed<Unit, Distinct>(
        units,
        async (unit, emit) => {
          await this.#inspect(unit, emit);
          task.update(++done);
        },
        limits,
      );
      for await (const each of found) {
        const row = this.#counted(each);
        if (all || row.verdict !== "pass") yield row;
      }
    } finally {
      task.stop();
    }
    // Nothing could be read for want of a token: that is the failure, not one of many scopes.
    if (units.length > 0 && this.unreadable === units.length && this.#firstFailure?.exit === "unauthenticated")
      throw this.#firstFailure;
  }

  async #inspect(unit: Unit, emit: (each: Distinct) => void): Promise<void> {
    const { evidence } = this.#options;
    const answers: (ObservedAnswer & { at: string })[] = [];
    const read: object[] = [];
    const observe = (answer: ObservedAnswer) => answers.push({ ...answer, at: this.#context.now().toISOString() });
    const context =
      evidence === undefined ? this.#context : { ...this.#context, api: this.#context.api.fork({ observe }) };
    let failure: string | null = null;
    let isWhole = true;
    try {
      await unit.inspect(context, {
        emit: (judgment) => {
          const row = this.#judged(judgment, unit, emit);
          if (row?.verdict === "unknown" && judgment.unread !== undefined) isWhole = false;
        },
        keep: (values) => {
          if (evidence !== undefined) read.push(values);
        },
      });
    } catch (error) {
      if (!(error instanceof Failure) || !local.has(error.exit)) throw error;
      failure = reasonIn(error);
      this.#firstFailure ??= error;
      emit({ row: this.#unreadableRow(unit, failure), subject: undefined });
    }
    if (failure === null && !isWhole) this.unreadable += 1;
    await evidence?.add({ unit, answers, read, failure });
  }

  /** The row, unless it is below the minimum severity. */
  #judged(judgment: Judgment, { scope }: Unit, emit: (each: Distinct) => void): Row | undefined {
    const rule = this.#rules.get(judgment.rule);
    if (rule === undefined) return undefined;
    const row = rowOf(judgment, { rule, scope, amend: this.#amend, config: this.#context.config });
    if (!isAtLeast(row.severity, this.#options.least)) return undefined;
    emit({ row, subject: judgment.subject });
    return row;
  }

  /** It has the highest severity of its area, since any of its rules might fail; a baseline may accept that. */
  #unreadableRow({ area, scope }: Unit, reason: string): Row {
    const rules = this.#options.rules.filter(({ id }) => areaOf(id) === area);
    const worst = rules.reduce<Severity>(
      (most, { severity }) => (severities.indexOf(severity) > severities.indexOf(most) ? severity : most),
      "low",
    );
    const { exempt } = this.#amend(`${area}.*`, [scope]);
    const row = unreadableRow(scope, `${area}.*`, worst, reason);
    if (exempt === undefined) {
      this.unreadable += 1;
      return row;
    }
    return {
      ...row,
      verdict: "exempt",
      finding: `accepted until ${exempt.until}: ${exempt.reason} (not read: ${reason})`,
    };
  }

  /** Exemptions whose last day is over. */
  #lapsed(): Distinct[] {
    if (!isInShard(this.#options.shard, "baseline")) return [];
    return this.#options.baseline.entries.flatMap(({ rule, where, exempt }) => {
      if (exempt === undefined || exempt.until >= this.#today) return [];
      const severity = this.#rules.get(rule)?.severity ?? (rule.endsWith(".*") ? "medium" : undefined);
      // Its rule is below the minimum severity.
      if (severity === undefined) return [];
      const row: Row = {
        where: where ?? "baseline file",
        rule: lapsedRule,
        severity,
        verdict: "fail",
        finding: `the exemption from ${rule} lapsed: ${exempt.reason}`,
        since: exempt.until,
        try: null,
      };
      return [{ row, subject: `${rule} ${exempt.until}` }];
    });
  }

  #counted(each: Distinct): Row {
    const { row } = each;
    this.counts[row.verdict] += 1;
    if (row.verdict === "fail") this.bySeverity[row.severity] += 1;
    if (this.#options.keeps) this.kept.push(each);
    return row;
  }

  /** The rules for a report, with that of lapsed exemptions. */
  get reportedRules(): AuditRule[] {
    const lapsed = { id: lapsedRule, severity: "medium", expect: "exemptions have not lapsed", try: "" } as const;
    return [...this.#options.rules, { ...lapsed, why: "a finding was accepted until a day that is over" }];
  }

  summary(): Summary {
    const counts = (["high", "medium", "low"] as const).flatMap((name) =>
      this.bySeverity[name] === 0 ? [] : [[name, this.bySeverity[name]] as const],
    );
    return { text: titleOf(this), counts };
  }

  /** For the manifest. */
  about(input: object): object {
    return {
      asked_for: Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)),
      units: this.#units,
      unreadable: this.unreadable,
      verdicts: this.counts,
    };
  }

  failure(): Failure {
    return new Failure("partial", `${this.unreadable} of ${this.#units} could not be read`, {
      hint: "rows with the verdict unknown say why",
    });
  }
}

export function titleOf({ counts }: AuditRun): string {
  const { fail, exempt, unknown, unset, pass } = counts;
  const more = [
    ...(exempt > 0 ? [`${exempt} accepted`] : []),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
    ...(unset > 0 ? [`${unset} not set`] : []),
    `${pass} passed`,
  ];
  return `${counted(fail, "finding")}; ${more.join(", ")}`;
}
