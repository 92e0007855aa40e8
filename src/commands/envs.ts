import {
  getProtectedEnvironment,
  listProtectedEnvironments,
  ProtectedEnvironment,
  protectEnvironment,
  unprotectEnvironment,
  updateProtectedEnvironment,
} from "../api/endpoints/protected-environments.ts";
import { project } from "../api/endpoints/scope.ts";
import { array, id, required, string } from "../api/field.ts";
import { parseApproval, parseChange, parseWho } from "../api/who.ts";
import { command, group } from "../command/command.ts";
import { get, list, remove } from "../command/verbs.ts";
import { UsageError } from "../errors.ts";

const who = string("", { placeholder: "who" });
const approval = string("", { placeholder: "who[=n]" });
const ruleId = id("", { placeholder: "rule-id" });

const name = required(string("Environment", { placeholder: "name", min: 1 }));
const scoped = { project: required(project) };
const allow = array(who, "Who may deploy");
const approvals = array(approval, "Who has to approve, and how many of them (1 unless given)", { flag: "approval" });

const grammar =
  "<who> is user:<id>, group:<id>, or level:<developer|maintainer|admin|number>; +inherited after it counts inherited " +
  "members too. Tables show the rules as <rule-id>=<who>, approvals with =<n>: as --set-allow and --set-approval take " +
  "them.";

const protect = command({
  name: "protect",
  summary: protectEnvironment.summary,
  details: grammar,
  args: { name },
  params: { ...scoped, allow: required(allow), approvals },
  requests: [protectEnvironment],
  returns: ProtectedEnvironment,
  examples: [
    { line: "envs protect review/app -p acme/storefront --allow level:maintainer" },
    {
      line: "envs protect canary -p acme/storefront --allow user:3 --allow group:4+inherited --approval level:admin=2",
      note: "user 3 and all of group 4 deploy, once two administrators approved",
    },
  ],
  related: ["envs update", "envs unprotect"],
  async run(context, { project, name, ...input }) {
    const rules = {
      deploy_access_levels: input.allow.map((text) => parseWho(text, "--allow")),
      approval_rules: input.approvals?.map((text) => parseApproval(text, "--approval")),
    };
    const record = await context.api.call(protectEnvironment, { project, name, ...rules });
    return { record, entity: ProtectedEnvironment };
  },
});

const update = command({
  name: "update",
  summary: updateProtectedEnvironment.summary,
  details: `What is not named stays as it is. ${grammar}`,
  args: { name },
  params: {
    ...scoped,
    allow: { ...allow, description: "Another who may deploy" },
    approvals: { ...approvals, description: "Another who has to approve" },
    remove_allow: array(ruleId, "Remove this rule of who may deploy"),
    remove_approval: array(ruleId, "Remove this rule of who has to approve"),
    set_allow: array(string("", { placeholder: "rule-id=who" }), "Change this rule of who may deploy"),
    set_approval: array(string("", { placeholder: "rule-id=who[=n]" }), "Change this rule of who has to approve"),
  },
  requests: [updateProtectedEnvironment, getProtectedEnvironment],
  returns: ProtectedEnvironment,
  examples: [
    { line: "envs update production -p acme/storefront --allow user:6" },
    {
      line: "envs update production -p acme/storefront --set-approval 1=group:4=2 --remove-allow 2",
      note: "IDs as envs get shows them",
    },
  ],
  related: ["envs get", "envs protect"],
  async run(context, { project, name, ...input }) {
    const changes = {
      deploy_access_levels: elements("allow", parseWho, {
        added: input.allow,
        set: input.set_allow,
        removed: input.remove_allow,
      }),
      approval_rules: elements("approval", parseApproval, {
        added: input.approvals,
        set: input.set_approval,
        removed: input.remove_approval,
      }),
    };
    if (changes.deploy_access_levels === undefined && changes.approval_rules === undefined) {
      throw new UsageError("nothing to change: give at least one of the flags that add, set, or remove a rule");
    }
    await context.api.call(updateProtectedEnvironment, { project, name, ...changes });
    // The answer may hold the changed rules alone.
    const record = await context.api.call(getProtectedEnvironment, { project, name });
    return { record, entity: ProtectedEnvironment };
  },
});

interface Changes {
  added?: readonly string[] | undefined;
  set?: readonly string[] | undefined;
  removed?: readonly number[] | undefined;
}

/** The elements of an update: new ones, changed ones with their ID, and removed ones; undefined where there is none. */
function elements(flag: "allow" | "approval", parse: typeof parseWho, changes: Changes): object[] | undefined {
  const { added = [], set = [], removed = [] } = changes;
  const changed = set.map((text) => parseChange(text, `--set-${flag}`, parse));
  const ids = [...changed.map((rule) => rule.id), ...removed];
  const twice = ids.find((rule, index) => ids.indexOf(rule) !== index);
  if (twice !== undefined) throw new UsageError(`rule ${twice} is named twice in --set-${flag} and --remove-${flag}`);
  const all = [
    ...added.map((text) => parse(text, `--${flag}`)),
    ...changed,
    ...removed.map((rule) => ({ id: rule, _destroy: true })),
  ];
  return all.length === 0 ? undefined : all;
}

export const envs = group("envs", "Protected environments of a project", [
  list(
    "list",
    listProtectedEnvironments,
    ["name", "deploy_access_levels", "required_approval_count", "approval_rules"],
    {
      examples: [{ line: "envs list -p acme/storefront" }],
      related: ["envs get", "envs protect"],
    },
  ),
  get("get", getProtectedEnvironment, {
    examples: [{ line: "envs get production -p acme/storefront" }],
    related: ["envs list", "envs update"],
  }),
  protect,
  update,
  remove("unprotect", unprotectEnvironment, {
    noun: "the protection of environment",
    examples: [{ line: "envs unprotect staging/eu -p acme/storefront --yes" }],
    related: ["envs protect"],
  }),
]);
