import { getProtectedEnvironment, listProtectedEnvironments } from "../../api/endpoints/protected-environments.ts";
import { getUser } from "../../api/endpoints/users.ts";
import { whoText } from "../../api/endpoints/who.ts";
import { entity, nullable, string, uncut } from "../../api/field.ts";
import { undefinedOn } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { auditFlags, auditProjects } from "../../verbs/audit.ts";

const EnvironmentFinding = entity("EnvironmentFinding", {
  project: uncut("Project, as given"),
  environment: nullable(uncut()),
  finding: string("no_approval, developers_deploy, single_approver, blocked_user, or unreadable", {
    tones: { blocked_user: "bad", unreadable: "bad", "*": "doubtful" },
  }),
  detail: uncut("The rule concerned, or why the project could not be read"),
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

/** The level of developers (`1-project-api: Protected environment`). */
const developer = 30;

export const audit = command({
  name: "audit",
  summary: "Find protected environments with weak rules",
  details:
    "One row per finding: no_approval (no approval is required), developers_deploy (the rule lets every developer deploy), " +
    "single_approver (a single user can approve), blocked_user (a rule is for a blocked user).",
  params: auditFlags("something is found"),
  requests: [listProtectedEnvironments, getProtectedEnvironment, getUser],
  returns: EnvironmentFinding,
  examples: [{ line: "envs audit -p acme/storefront" }, { line: "envs audit -p acme/storefront --exit-code -o json" }],
  related: ["envs list", "envs plan"],
  async run(context, input) {
    const users = new Users(context);
    const audited = await auditProjects<Found>(context, input, {
      inspect: (project) => findingsOf(context, project, users),
      unreadable: (project, detail) => ({ project, environment: null, finding: "unreadable", detail }),
      isFound: ({ finding }) => finding !== "unreadable",
    });
    return { ...audited, columns: ["project", "environment", "finding", "detail"] };
  },
});

async function findingsOf(context: Context, project: string, users: Users): Promise<Found[]> {
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
  if (approvals.length === 0) note("no_approval", "no approval rule");
  const open = deploys.find(
    (rule) => isUnset(rule.user_id) && isUnset(rule.group_id) && rule.access_level === developer,
  );
  if (open !== undefined) note("developers_deploy", ruleText(open));
  const needed = approvals.reduce((sum, { required_approvals: count }) => sum + (count ?? 1), 0);
  const [only] = approvals;
  if (approvals.length === 1 && only !== undefined && needed <= 1) note("single_approver", ruleText(only));
  for (const rule of [...deploys, ...approvals]) {
    if (typeof rule.user_id === "number" && (await users.isBlocked(rule.user_id))) note("blocked_user", ruleText(rule));
  }
}

function isUnset(id: number | null | undefined): boolean {
  return id === null || id === undefined;
}

function ruleText(rule: Rule): string {
  const who = whoText(rule as never);
  return rule.id === undefined ? who : `rule ${rule.id}: ${who}`;
}

/** Users by ID, each requested once. A user who is not visible is not reported as blocked. */
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
    const asked = this.#context.api.call(getUser, { user_id: id } as never);
    return (await asked.catch(undefinedOn("notFound", "forbidden")))?.state;
  }
}
