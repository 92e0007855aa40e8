import {
  getProtectedEnvironment,
  ProtectedEnvironment,
  updateProtectedEnvironment,
} from "../../api/endpoints/protected-environments.ts";
import { parseApproval, parseChange, parseWho } from "../../api/endpoints/who.ts";
import { array, id, string } from "../../api/field.ts";
import { UsageError } from "../../base/errors.ts";
import { command } from "../../declare/command.ts";
import { madeOrVerified } from "../../verbs/verified.ts";
import { allow, approvals, grammar, name, scoped } from "./flags.ts";
import { hasRules } from "./made.ts";
import { lookUpNames, type Resolve, withPlaceholderIds } from "./names.ts";

const ruleId = id("", { placeholder: "rule-id" });

export const update = command({
  name: "update",
  summary: updateProtectedEnvironment.summary,
  details: `Rules that are not named are unchanged. ${grammar}`,
  args: { name: { ...name, completes: "environment" } },
  params: {
    ...scoped,
    allow: { ...allow, description: "Add a user, group, or level that may deploy" },
    approvals: { ...approvals, description: "Add a user, group, or level that must approve" },
    remove_allow: array(ruleId, "Remove this deploy rule"),
    remove_approval: array(ruleId, "Remove this approval rule"),
    set_allow: array(string("", { placeholder: "rule-id=who", completes: "rule-who" }), "Change this deploy rule"),
    set_approval: array(
      string("", { placeholder: "rule-id=who[=n]", completes: "rule-who" }),
      "Change this approval rule",
    ),
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
    const read = (resolve: Resolve) => ({
      deploy_access_levels: elements("allow", parseWho, {
        added: input.allow?.map(resolve),
        set: input.set_allow?.map(resolve),
        removed: input.remove_allow,
      }),
      approval_rules: elements("approval", parseApproval, {
        added: input.approvals?.map(resolve),
        set: input.set_approval?.map(resolve),
        removed: input.remove_approval,
      }),
    });
    const { deploy_access_levels, approval_rules } = read(withPlaceholderIds);
    if (deploy_access_levels === undefined && approval_rules === undefined) {
      throw new UsageError("nothing to change: give at least one of the flags that add, set, or remove a rule");
    }
    const typed = [input.allow, input.set_allow, input.approvals, input.set_approval];
    const changes = read(
      await lookUpNames(
        context,
        typed.flatMap((texts) => texts ?? []),
      ),
    );
    const current = (api = context.api) => api.call(getProtectedEnvironment, { project, name });
    await madeOrVerified(
      context,
      () => context.api.call(updateProtectedEnvironment, { project, name, ...changes }),
      async (api) => hasRules(await current(api), changes),
    );
    // The answer may contain only the changed rules.
    return { record: await current() };
  },
});

interface Changes {
  added?: readonly string[] | undefined;
  set?: readonly string[] | undefined;
  removed?: readonly number[] | undefined;
}

/** The elements of an update: new ones, changed ones with their ID, and removed ones; undefined if there are none. */
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
