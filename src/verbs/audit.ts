import { array, boolean, string } from "../api/field.ts";
import { shorter } from "../api/shorter-lists.ts";
import { Failure, reasonIn, whenFound } from "../base/errors.ts";
import type { Context } from "../context.ts";
import { concurrently } from "../jobs/concurrently.ts";
import type { RowsView } from "../terminal/view.ts";
import { archivedFlag, pathsBelow } from "./fleet.ts";
import { manyProjects, placeNames, requireProjects, scopeFile } from "./scope-names.ts";

/** The flags of an audit of projects; `found` says when `--exit-code` is 10. */
export function auditFlags(found: string) {
  return {
    project: manyProjects,
    group: array(string("", { placeholder: "id|path" }), "All projects of this group, at any depth", { short: "g" }),
    projects_file: scopeFile("project"),
    archived: archivedFlag,
    exit_code: boolean(`Exit 10 if ${found}`),
  };
}

interface AuditInput {
  project?: readonly string[] | undefined;
  group?: readonly string[] | undefined;
  projects_file?: string | undefined;
  archived?: boolean | undefined;
  exit_code?: boolean | undefined;
}

interface Audit<T> {
  /** The rows of a project or group. */
  inspect(name: string): Promise<T[]>;
  /** The row of one that could not be read. */
  unreadable(name: string, reason: string): T;
  /** Whether a row makes `--exit-code` exit with 10. */
  isFound(row: T): boolean;
  /** Whether a row says that a part of its project or group could not be read. */
  isUnread?(row: T): boolean;
}

type Audited = Pick<RowsView, "rows" | "validIfPartial" | "exitCode">;

interface Asked<T> {
  readonly names: readonly string[];
  readonly noun: string;
  readonly exitCode: boolean | undefined;
  /** The rows that say which list of names is in part. */
  readonly unlisted?: readonly T[];
}

const local = new Set(["notFound", "forbidden", "refused", "partial"]);

/** Whether an error concerns one project or group alone; any other ends the audit. */
export function concernsOneScope(error: unknown): error is Failure {
  return error instanceof Failure && local.has(error.exit);
}

/** Audits projects, those of groups among them. */
export async function auditProjects<T extends object>(
  context: Context,
  { project, group = [], projects_file: file, archived, exit_code: exitCode }: AuditInput,
  audit: Audit<T>,
): Promise<Audited> {
  const { paths: below, inPart } = await pathsBelow(context, placeNames(context, group, "group"), { archived });
  // A group without projects has nothing to find.
  const isEmpty = group.length > 0 && below.length === 0 && project === undefined && file === undefined;
  const names = isEmpty ? [] : await requireProjects(context, [...(project ?? []), ...below], file);
  const unlisted = inPart.map((path) => audit.unreadable(path, `the projects below it: ${reasonIn(shorter())}`));
  return auditEach(context, { names, noun: "projects", exitCode, unlisted }, audit);
}

/**
 * Audits projects or groups concurrently. What cannot be read of one has a row that says so, and the exit code is 9.
 */
export function auditEach<T extends object>(
  context: Context,
  { names, noun, exitCode, unlisted = [] }: Asked<T>,
  { inspect, unreadable, isFound, isUnread = () => false }: Audit<T>,
): Audited {
  let found = 0;
  let failed = 0;
  const rowsOf = async (name: string) => {
    try {
      const inspected = await inspect(name);
      if (inspected.some(isUnread)) failed += 1;
      return inspected;
    } catch (error) {
      if (!concernsOneScope(error)) throw error;
      failed += 1;
      return [unreadable(name, reasonIn(error))];
    }
  };
  async function* rows() {
    for await (const some of concurrently(names, rowsOf, { limit: context.config.concurrency, ordered: true })) {
      found += some.filter(isFound).length;
      yield* some;
    }
    yield* unlisted;
    if (failed > 0) throw new Failure("partial", `${failed} of ${names.length} ${noun} could not be read`);
    if (unlisted.length > 0) throw shorter();
  }
  // What could not be read is a row.
  return { rows: rows(), validIfPartial: true, exitCode: whenFound(exitCode, () => found > 0) };
}
