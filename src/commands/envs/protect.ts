import type { Api } from "../../api/api.ts";
import {
  getProtectedEnvironment,
  ProtectedEnvironment,
  protectEnvironment,
} from "../../api/endpoints/protected-environments.ts";
import { parseApproval, parseWho } from "../../api/endpoints/who.ts";
import { required } from "../../api/field.ts";
import { buildRequest } from "../../api/request.ts";
import { undefinedOn } from "../../base/errors.ts";
import { command } from "../../declare/command.ts";
import { madeOrVerified, seenBefore } from "../../verbs/lost-answer-check.ts";
import { allow, approvals, grammar, idsInRules, name, scoped } from "./flags.ts";
import { lookUpNames, type Resolve, withPlaceholderIds } from "./names.ts";
import { hasOtherRules, hasRules } from "./rules.ts";

export const protect = command({
  name: "protect",
  summary: protectEnvironment.summary,
  details: grammar,
  args: { name },
  params: { ...scoped, allow: required(allow), approvals },
  requests: [protectEnvironment, getProtectedEnvironment],
  returns: ProtectedEnvironment,
  prints: "record",
  idsIn: idsInRules,
  examples: [
    { line: "envs protect review/app -p acme/storefront --allow level:maintainer" },
    {
      line: "envs protect canary -p acme/storefront --allow user:3 --allow group:4+inherited --approval level:admin=2",
      note: "user 3 and all of group 4 deploy, after two administrators approved",
    },
  ],
  undo: { line: "envs unprotect {name} -p {project}" },
  related: ["envs update", "envs unprotect"],
  async run(context, { project, name, ...input }) {
    const read = (resolve: Resolve) => ({
      deploy_access_levels: input.allow.map((text) => parseWho(resolve(text), "--allow")),
      approval_rules: input.approvals?.map((text) => parseApproval(resolve(text), "--approval")),
    });
    read(withPlaceholderIds);
    const rules = read(await lookUpNames(context, [...input.allow, ...(input.approvals ?? [])]));
    const show = (api: Api) => api.call(getProtectedEnvironment, { project, name });
    const change = { project, name, ...rules };
    // What cannot be sent is refused before anything is.
    buildRequest(protectEnvironment, change);
    const wasThere = await seenBefore(context, show);
    let record: object | undefined;
    await madeOrVerified(
      context,
      async () => {
        record = await context.api.call(protectEnvironment, change);
      },
      async (api) => {
        record = await show(api).catch(undefinedOn("notFound"));
        if (record === undefined || !hasRules(record, rules)) return false;
        // What was protected before, or by another user since, is not this run's.
        return wasThere === false && !hasOtherRules(record, rules) ? true : undefined;
      },
    );
    return { record: record ?? {} };
  },
});
