import { getProtectedEnvironment, listProtectedEnvironments } from "../../api/endpoints/protected-environments.ts";
import { getUser } from "../../api/endpoints/users.ts";
import { whoText } from "../../api/endpoints/who.ts";
import { boolean, entity, nullable, string, uncut } from "../../api/field.ts";
import { exitCodes, Failure } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { ordered } from "../../verbs/bulk.ts";
import { manyProjects, requireProjects, scopeFile } from "../../verbs/scope-names.ts";

const EnvironmentFinding = entity("EnvironmentFinding", {
  project: string("As it was named"),
  environment: nullable(string()),
  finding: string("no_approval, developers_deploy, single_approver, blocked_user, or unreadable", {
    tones: { blocked_user: "bad", unreadable: "bad", "*": "doubtful" },
  }),
  detail: uncut("The rule that it is about, or why the project could not be read"),
});

interface Rule {
  id?: number;
  user_id?: number | null;
  group_id?: number | null;
  access_level?: number | null;
  required_approvals?: number | null;
}

interface Found {
  project: string;
  environment: string | null;
  finding: string;
  detail: string;
}

/** Failures of one project alone; anything else ends the audit. */
const local = new Set(["notFound", "forbidden", "refused"]);

/** The level of developers (`1-project-api: Protected environment`). */
const developer = 30;

export const audit = command({
  name: "audit",
  summary: "Find protected environments whose rules protect little",
  details:
    "One row a finding: no_approval (nobody has to approve), developers_deploy (the rule lets every developer deploy), " +
    "single_approver (one person alone can approve), blocked_user (a rule is for a user who is blocked).",
  params: {
    project: manyProjects,
    projects_file: scopeFile("project"),
    exit_code: boolean("Exit 10 where something is found"),
  },
  requests: [listProtectedEnvironments, getProtectedEnvironment, getUser],
  returns: EnvironmentFinding,
  examples: [{ line: "envs audit -p acme/storefront" }, { line: "envs audit -p acme/storefront --exit-code -o json" }],
  related: ["envs list", "envs plan"],
  async run(context, { project, projects_file: file, exit_code: exitCode = false }) {
    const projects = await requireProjects(context, project, file);
    const users = new Users(context);
    let found = 0;
    let failed = 0;
    async function* rows() {
      for await (const findings of ordered(
        projects,
        (each) => findingsOf(context, each, users),
        context.config.concurrency,
      )) {
        for (const each of findings) {
          if (each.finding === "unreadable") failed += 1;
          else found += 1;
          yield each;
        }
      }
      if (failed > 0) throw new Failure("partial", `${failed} of ${projects.length} projects could not be read`);
    }
    return {
      rows: rows(),
      columns: ["project", "environment", "finding", "detail"],
      exitCode: () => (exitCode && found > 0 ? exitCodes.differences : exitCodes.done),
    };
  },
});

async function findingsOf(context: Context, project: string, users: Users): Promise<Found[]> {
  try {
    const found: Found[] = [];
    for await (const listed of context.api.list(listProtectedEnvironments, { project }, { limit: undefined })) {
      // Some instances leave the approval rules out of lists.
      const environment =
        "approval_rules" in listed
          ? listed
          : await context.api.call(getProtectedEnvironment, { project, name: (listed as { name: string }).name });
      const note = (finding: string, detail: string) =>
        found.push({ project, environment: environment.name, finding, detail });
      await judge(rulesOf(environment.deploy_access_levels), rulesOf(environment.approval_rules), users, note);
    }
    return found;
  } catch (error) {
    if (!(error instanceof Failure) || !local.has(error.exit)) throw error;
    return [{ project, environment: null, finding: "unreadable", detail: error.details.reason ?? error.message }];
  }
}

function rulesOf(value: unknown): Rule[] {
  return Array.isArray(value) ? (value as Rule[]) : [];
}

async function judge(
  deploys: readonly Rule[],
  approvals: readonly Rule[],
  users: Users,
  note: (finding: string, detail: string) => void,
): Promise<void> {
  if (approvals.length === 0) note("no_approval", "there is no approval rule");
  const open = deploys.find(
    (rule) => isNobody(rule.user_id) && isNobody(rule.group_id) && rule.access_level === developer,
  );
  if (open !== undefined) note("developers_deploy", ruleText(open));
  const needed = approvals.reduce((sum, { required_approvals: count }) => sum + (count ?? 1), 0);
  const [only] = approvals;
  if (approvals.length === 1 && only !== undefined && needed <= 1) note("single_approver", ruleText(only));
  for (const rule of [...deploys, ...approvals]) {
    if (typeof rule.user_id === "number" && (await users.isBlocked(rule.user_id))) note("blocked_user", ruleText(rule));
  }
}

function isNobody(id: number | null | undefined): boolean {
  return id === null || id === undefined;
}

function ruleText(rule: Rule): string {
  const who = whoText(rule as never);
  return rule.id === undefined ? who : `rule ${rule.id}: ${who}`;
}

/** Users by ID, each asked for once; who cannot be seen is not known to be blocked. */
class Users {
  readonly #context: Context;
  readonly #states = new Map<number, Promise<string | undefined>>();

  constructor(context: Context) {
    this.#context = context;
  }

  async isBlocked(id: number): Promise<boolean> {
    let state = this.#states.get(id);
    if (state === undefined) {
      state = this.#stateOf(id);
      this.#states.set(id, state);
    }
    return ["blocked", "banned", "ldap_blocked", "deactivated"].includes((await state) ?? "");
  }

  async #stateOf(id: number): Promise<string | undefined> {
    try {
      return (await this.#context.api.call(getUser, { user_id: id } as never)).state as string;
    } catch (error) {
      if (error instanceof Failure && (error.exit === "notFound" || error.exit === "forbidden")) return undefined;
      throw error;
    }
  }
}
