import { getProject } from "../../api/endpoints/places.ts";
import { getProtectedEnvironment, listProtectedEnvironments } from "../../api/endpoints/protected-environments.ts";
import { getUser, lockedStates } from "../../api/endpoints/users.ts";
import { whoText } from "../../api/endpoints/who.ts";
import { notShown, numberIn } from "../../base/answered-value.ts";
import { Failure, reasonIn } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { releaseOf } from "../../verbs/release.ts";
import { wholeRows } from "../../verbs/whole-list.ts";

// The weak rules of protected environments, for envs audit and audit.

interface Rule {
  readonly id?: number;
  readonly user_id?: number | null;
  readonly group_id?: number | null;
  readonly access_level?: number | null;
  readonly required_approvals?: number | null;
}

export const weaknessNames = ["no_approval", "developers_deploy", "single_approver", "blocked_user"] as const;

interface Weakness {
  readonly row: { readonly finding: (typeof weaknessNames)[number]; readonly detail: string };
  /** The rule that is weak, and the list from which envs update may remove it. */
  readonly rule?: { readonly id: number | undefined; readonly removable?: "allow" | "approval" | undefined };
  /** The detail says why it is not known whether the rule is weak. */
  readonly isUnread?: boolean;
  /** What the finding is about, where an environment may have several of one kind. */
  readonly subject?: string;
  /** It is not known since a request was refused, not since the answer does not show it. */
  readonly isRefused?: boolean;
}

export interface Inspected {
  readonly name: string;
  readonly weaknesses: readonly Weakness[];
  /** What was read of it. */
  readonly read: object;
}

/** The level of developers (`1-project-api: Protected environment`); a lower one lets them deploy too, 0 no user. */
const developer = 30;

/** The protected environments of a project, each with its weaknesses. */
export async function* environmentsIn(context: Context, project: string, lookups: Lookups): AsyncGenerator<Inspected> {
  let asked: Promise<boolean | Failure> | undefined;
  for await (const listed of wholeRows(context.api, listProtectedEnvironments, { project })) {
    // Some instances leave the approval rules out of lists.
    const environment =
      "approval_rules" in listed
        ? listed
        : await context.api.call(getProtectedEnvironment, { project, name: (listed as { name: string }).name });
    const deploys = rulesOf(environment.deploy_access_levels);
    const approvals = Array.isArray(environment.approval_rules) ? rulesOf(environment.approval_rules) : undefined;
    const count = numberIn(environment.required_approval_count);
    const needsAny = approvals === undefined || approvals.length > 0 || (count ?? 0) > 0;
    asked ??= needsAny ? lookups.approvesOwn(project) : undefined;
    const own = (needsAny && (await asked)) || false;
    const weaknesses = await judge(deploys, { shown: approvals, count: count ?? 0, own }, lookups);
    const read = {
      ...(own === true && { [startersApprove]: true }),
      required_approval_count: count,
      deploy_access_levels: deploys.map(reduced),
      approval_rules: approvals?.map(reduced),
    };
    yield { name: environment.name, weaknesses, read };
  }
}

function rulesOf(value: unknown): Rule[] {
  return (Array.isArray(value) ? (value as Rule[]) : []).map((rule) => ({ ...rule, ...numbersIn(rule) }));
}

/** Some instances quote numbers. */
function numbersIn(rule: Rule): Omit<Rule, "id"> {
  const names = ["user_id", "group_id", "access_level", "required_approvals"] as const;
  return Object.fromEntries(names.map((name) => [name, numberIn(rule[name])]));
}

function reduced({ id, user_id, group_id, access_level, required_approvals }: Rule): Rule {
  return { id, user_id, group_id, access_level, required_approvals } as Rule;
}

interface Approvals {
  /** Undefined if the instance does not show the rules. */
  readonly shown: readonly Rule[] | undefined;
  /**
   * The older form (`required_approval_count`), 0 if the instance does not say. Instances go by it only where there are
   * no rules, and newer ones not even then (approval-count-ignored).
   */
  readonly count: number;
  /** Whether the user who starts a deployment approves it; a failure if that could not be read. */
  readonly own: boolean | Failure;
}

/** The field of a project: deployments are approved by who starts them (deployments-approve-themselves). */
const startersApprove = "allow_pipeline_trigger_approve_deployment";

async function judge(deploys: readonly Rule[], given: Approvals, lookups: Lookups): Promise<Weakness[]> {
  const { shown, own } = given;
  const ownCount = own === true ? 1 : 0;
  const count = Math.max(given.count - ownCount, 0);
  const besides = own === true ? `, besides that of the user who starts the deployment (${startersApprove})` : "";
  const approvals = shown ?? [];
  const found: Weakness[] = [];
  const unread = (finding: Weakness["row"]["finding"], detail: string, more: Partial<Weakness> = {}) =>
    found.push({ row: { finding, detail }, isUnread: true, ...more });
  const note = (finding: Weakness["row"]["finding"], detail: string, more: Partial<Weakness> = {}) =>
    found.push({ row: { finding, detail }, ...more });
  const all = approvals.reduce((sum, { required_approvals: each }) => sum + (each ?? 1), 0);
  const needed = all - ownCount;
  if (approvals.length > 0 && needed <= 0) note("no_approval", `its rules require no approval${besides}`);
  if (shown?.length === 0 && count <= 0) note("no_approval", given.count > 0 ? `none${besides}` : "no approval rule");
  if (shown?.length === 0 && count > 0) {
    if (count === 1) note("single_approver", `required_approval_count: ${given.count}${besides}`);
    if (!(await lookups.countsWithoutRules())) {
      unread(
        "no_approval",
        `required_approval_count: ${given.count} without approval rules, which newer releases ignore`,
      );
    }
  }
  if (shown === undefined) {
    for (const name of ["no_approval", "single_approver", "blocked_user"] as const)
      unread(name, notShown("approval_rules"));
  }
  const open = deploys.find(
    (rule) => isUnset(rule.user_id) && isUnset(rule.group_id) && isForDevelopers(rule.access_level),
  );
  if (open !== undefined) note("developers_deploy", ruleText(open), { rule: { id: open.id } });
  const unnamed = deploys.find(isUnnamed);
  if (open === undefined && unnamed !== undefined) {
    unread("developers_deploy", unnamedText(unnamed));
  }
  if (own instanceof Failure) {
    const detail = `the project could not be looked up: ${reasonIn(own)}; the user who starts a deployment may approve it`;
    const more = { isRefused: own.details.status !== undefined };
    const required = approvals.length > 0 ? all : given.count;
    if (required === 1) unread("no_approval", detail, more);
    if (required === 2 && approvals.length < 2) unread("single_approver", detail, more);
  }
  const [only] = approvals;
  if (approvals.length === 1 && only !== undefined && needed === 1) {
    note("single_approver", `${ruleText(only)}${besides}`, { rule: { id: only.id } });
  }
  const isKept = await staysApproved(approvals, lookups);
  for (const [list, rules] of [["allow", deploys] as const, ["approval", approvals] as const]) {
    const removable = list === "allow" || isKept ? list : undefined;
    for (const rule of rules) {
      const subject = `--remove-${list} ${ruleText(rule)}`;
      if (isUnnamed(rule)) unread("blocked_user", unnamedText(rule), { subject });
      if (typeof rule.user_id !== "number") continue;
      const blocked = await lookups.isBlocked(rule.user_id);
      if (blocked === true) note("blocked_user", ruleText(rule), { subject, rule: { id: rule.id, removable } });
      if (blocked instanceof Failure) {
        const isRefused = blocked.details.status !== undefined;
        unread("blocked_user", `${ruleText(rule)}: ${reasonIn(blocked)}`, { subject, isRefused });
      }
    }
  }
  return found;
}

/** Whether an approval is needed even without the rules of blocked users, with which nothing can be deployed. */
async function staysApproved(approvals: readonly Rule[], lookups: Lookups): Promise<boolean> {
  for (const { user_id: user, required_approvals: needed } of approvals) {
    const isBlocked = typeof user === "number" && (await lookups.isBlocked(user)) === true;
    if (!isBlocked && (needed ?? 1) > 0) return true;
  }
  return false;
}

function isForDevelopers(level: number | null | undefined): boolean {
  return typeof level === "number" && level > 0 && level <= developer;
}

/** Whether the instance does not show whom a rule is for. */
function isUnnamed({ user_id, group_id, access_level }: Rule): boolean {
  return (user_id ?? group_id ?? access_level) === undefined;
}

function unnamedText({ id }: Rule): string {
  return `rule ${id ?? ""}: ${notShown("user_id", "group_id", "access_level")}`;
}

function isUnset(id: number | null | undefined): boolean {
  return id === null || id === undefined;
}

function ruleText(rule: Rule): string {
  const who = whoText(rule as never);
  return rule.id === undefined ? who : `rule ${rule.id}: ${who}`;
}

/** This release made rules of the numbers of approvals; newer ones require none where there are no rules. */
const rulesOnly = 17;

/** What is asked once for all projects: users by ID, and the instance's release. */
export class Lookups {
  readonly #context: Context;
  readonly #states = new Map<number, Promise<boolean | Failure>>();
  #release: Promise<unknown> | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Whether the instance is known to go by `required_approval_count` where an environment has no approval rules. */
  async countsWithoutRules(): Promise<boolean> {
    this.#release ??= releaseOf(this.#context.api);
    return Number.parseInt(String(await this.#release), 10) < rulesOnly;
  }

  /** Whether deployments of the project are approved by the users who start them; a failure if that is not known. */
  async approvesOwn(project: string): Promise<boolean | Failure> {
    try {
      const found = await this.#context.api.call(getProject, { project });
      return (found as Readonly<Record<string, unknown>>)[startersApprove] === true;
    } catch (error) {
      if (error instanceof Failure && (error.details.status ?? 500) < 500) return error;
      throw error;
    }
  }

  /** The failure if this user, or who is blocked, is not visible to the token. */
  isBlocked(id: number): Promise<boolean | Failure> {
    const known = this.#states.get(id);
    if (known !== undefined) return known;
    const asked = this.#ask(id);
    this.#states.set(id, asked);
    return asked;
  }

  async #ask(id: number): Promise<boolean | Failure> {
    try {
      const { state } = await this.#context.api.call(getUser, { user_id: id });
      if (typeof state !== "string" || state === "") return new Failure("refused", notShown("state"));
      const word = state.toLowerCase();
      if (lockedStates.has(word)) return true;
      if (word === "active" || word === "deactivated") return false;
      return new Failure("refused", `it is not known whether the state ${state} is a block`);
    } catch (error) {
      if (error instanceof Failure && (error.exit === "notFound" || error.exit === "forbidden")) return error;
      throw error;
    }
  }
}
