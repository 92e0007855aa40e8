import {
  getProtectedEnvironment,
  ProtectedEnvironment,
  updateProtectedEnvironment,
} from "../../api/endpoints/protected-environments.ts";
import { parseApproval, parseChange, parseWho } from "../../api/endpoints/who.ts";
import { array, id, string } from "../../api/field.ts";
import { removedRule } from "../../api/rules.ts";
import { missing, UsageError } from "../../base/errors.ts";
import { lookAgain } from "../../base/look-again.ts";
import { command } from "../../declare/command.ts";
import { decisionsLost } from "../../state/kinds/environments.ts";
import { refuseOther } from "../../verbs/confirm.ts";
import { madeOrVerified } from "../../verbs/lost-answer-check.ts";
import { allow, approvals, grammar, idsInRules, name, scoped } from "./flags.ts";
import { lookUpNames, type Resolve, withPlaceholderIds } from "./names.ts";
import { hasRules, heldRule, replacement } from "./rules.ts";
import { flagsBack } from "./undo.ts";

const ruleId = id("", { placeholder: "rule-id" });

export const update = command({
  name: "update",
  summary: updateProtectedEnvironment.summary,
  details:
    `Rules that are not named are unchanged. On instances, ${decisionsLost}: a warning says so. ` +
    `What was approved under a rule still counts after --set-approval gives it to others. ${grammar}`,
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
  prints: "record",
  idsIn: idsInRules,
  examples: [
    { line: "envs update production -p acme/storefront --allow user:6" },
    {
      line: "envs update production -p acme/storefront --set-approval 1=group:4=2 --remove-allow 2",
      note: "IDs as envs get shows them",
    },
  ],
  undo: {
    line:
      "envs update {name} -p {project} [--remove-allow={before.remove_allow...}] [--set-allow={before.set_allow...}] " +
      "[--allow={before.allow...}] [--remove-approval={before.remove_approval...}] " +
      "[--set-approval={before.set_approval...}] [--approval={before.approval...}]",
    before: getProtectedEnvironment,
    inWords: flagsBack,
    but: ({ remove_approval: removed }) => (removed === undefined ? undefined : decisionsLost),
  },
  related: ["envs get", "envs protect"],
  async run(context, { project, name, ...input }) {
    const read = (resolve: Resolve, held?: Held) => ({
      deploy_access_levels: rulesOf("deploy_access_levels", { name, input, resolve, held }),
      approval_rules: rulesOf("approval_rules", { name, input, resolve, held }),
    });
    const { deploy_access_levels, approval_rules } = read(withPlaceholderIds);
    if (deploy_access_levels === undefined && approval_rules === undefined) {
      throw missing("a flag that adds, sets, or removes a rule");
    }
    if (approval_rules !== undefined && input.remove_approval !== undefined) context.warn(decisionsLost);
    const typed = [input.allow, input.set_allow, input.approvals, input.set_approval];
    const resolve = await lookUpNames(
      context,
      typed.flatMap((texts) => texts ?? []),
    );
    const current = (api = context.api) => api.call(getProtectedEnvironment, { project, name });
    const isPresent = [input.set_allow, input.set_approval, input.remove_allow, input.remove_approval].some(
      (each) => each !== undefined,
    );
    const changes = read(resolve, isPresent ? await current() : {});
    // What is sent back as it was read must still be so.
    const look = async () => read(resolve, await current());
    const seen = { seen: changes, look, what: `protected environment ${name}` };
    const afterWait = async () => {
      if (isPresent) await refuseOther(seen, "the request had to wait");
    };
    await madeOrVerified(
      context,
      () => context.api.call(updateProtectedEnvironment, { project, name, ...changes }, { afterWait }),
      async (api) => hasRules(await current(api), changes),
    );
    // The answer may contain only the changed rules.
    const record = await lookAgain(current, (held) => hasRules(held, changes), context.sleep);
    if (!hasRules(record, changes)) context.warn(`${name} does not show the change yet: look at it again`);
    return { record };
  },
});

interface Held {
  deploy_access_levels?: unknown;
  approval_rules?: unknown;
}

type Input = {
  readonly [K in "allow" | "approvals" | "set_allow" | "set_approval"]?: readonly string[] | undefined;
} & {
  readonly [K in "remove_allow" | "remove_approval"]?: readonly number[] | undefined;
};

interface Asked {
  /** The environment. */
  name: string;
  input: Input;
  resolve: Resolve;
  /** The rules that it has; undefined while only the form of the flags is checked. */
  held: Held | undefined;
}

/** The two lists of rules, with their flags. */
const lists = {
  deploy_access_levels: { flag: "allow", added: "allow", what: "deploy", parse: parseWho },
  approval_rules: { flag: "approval", added: "approvals", what: "approval", parse: parseApproval },
} as const;

/** The changes of one list of rules, as they are sent; undefined if there are none. */
function rulesOf(list: keyof typeof lists, { name, input, resolve, held }: Asked): object[] | undefined {
  const { flag, added, what, parse } = lists[list];
  const where = `environment ${name}`;
  return elements(
    { flag, parse, held: held && ((rule) => heldRule(held[list], rule, { what, where })) },
    {
      added: input[added]?.map(resolve),
      set: input[`set_${flag}`]?.map(resolve),
      removed: input[`remove_${flag}`],
    },
  );
}

interface Changes {
  added?: readonly string[] | undefined;
  set?: readonly string[] | undefined;
  removed?: readonly number[] | undefined;
}

interface Reading {
  flag: "allow" | "approval";
  parse: typeof parseWho;
  /** The rule with an ID; undefined while only the form of the flags is checked. */
  held: ((rule: number) => Readonly<Record<string, unknown>>) | undefined;
}

/** The elements of an update: new ones, changed ones with their ID, and removed ones; undefined if there are none. */
function elements({ flag, parse, held = (id) => ({ id }) }: Reading, changes: Changes): object[] | undefined {
  const { added = [], set = [], removed = [] } = changes;
  const changed = set.map((text) => parseChange(text, `--set-${flag}`, parse));
  const ids = [...changed.map((rule) => rule.id), ...removed];
  const twice = ids.find((rule, index) => ids.indexOf(rule) !== index);
  if (twice !== undefined) throw new UsageError(`rule ${twice} is named twice in --set-${flag} and --remove-${flag}`);
  const all = [
    ...added.map((text) => parse(text, `--${flag}`)),
    ...changed.map((change) => replacement(held(change.id), change)),
    ...removed.map((rule) => removedRule(held(rule))),
  ];
  return all.length === 0 ? undefined : all;
}
