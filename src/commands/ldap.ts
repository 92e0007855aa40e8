import type { Api } from "../api/api.ts";
import type { Endpoint } from "../api/endpoint.ts";
import { memberLevel, memberRole } from "../api/endpoints/access-level.ts";
import {
  addLdapLink,
  cn,
  filter,
  LdapLink,
  listLdapLinks,
  noLdapLinks,
  provider,
  removeLdapLink,
  removeLdapLinkByCn,
  removeLdapLinkByProvider,
} from "../api/endpoints/ldap.ts";
import { group as scope } from "../api/endpoints/scope.ts";
import { boolean, entity, outcome, required } from "../api/field.ts";
import { buildRequest } from "../api/request.ts";
import { Failure, isNotFound, missing, UsageError } from "../base/errors.ts";
import type { Context } from "../context.ts";
import { command, group } from "../declare/command.ts";
import { listFlags, windowOf } from "../declare/list-flags.ts";
import { firstLink, membersLost, membersStay } from "../state/kinds/links.ts";
import { confirm } from "../verbs/confirm.ts";
import { seenDeletedOrVerified } from "../verbs/lost-answer-check.ts";
import { warnOfFirstLink } from "./first-link.ts";

interface Target {
  group: string;
  cn?: string | undefined;
  filter?: string | undefined;
  provider?: string | undefined;
}

/** A link has exactly one of the two (`2-collaboration-identity-api: LDAP group links`). */
function checkOne({ cn, filter }: Pick<Target, "cn" | "filter">): void {
  if (cn !== undefined && filter !== undefined) throw new UsageError("give only one of --cn and --filter");
  if (cn === undefined && filter === undefined) throw missing("--cn <cn> or --filter <filter>");
}

const add = command({
  name: "add",
  summary: addLdapLink.summary,
  details: `Give exactly one of --cn and --filter. On instances, ${firstLink.ldap}: it is a warning.`,
  params: {
    group: required(scope),
    provider: required(provider),
    access_level: memberLevel,
    cn,
    filter,
    member_role_id: { ...memberRole, description: `${memberRole.description} (Ultimate)` },
  },
  requests: [addLdapLink, listLdapLinks],
  returns: LdapLink,
  prints: "record",
  examples: [
    { line: "ldap links add -g acme --cn support --provider ldapmain --access-level reporter" },
    { line: 'ldap links add -g acme --filter "(department=sales)" --provider ldapmain --access-level 10' },
  ],
  undo: {
    line: "ldap links remove -g {group} --provider={provider} [--cn={cn}] [--filter={filter}]",
    but: membersLost,
  },
  related: ["ldap links list", "ldap links remove"],
  async run(context, { access_level, ...input }) {
    checkOne(input);
    const held = linksOf(context.api, { group: input.group, provider: input.provider });
    await warnOfFirstLink(context, held, `group ${input.group}: ${firstLink.ldap}`);
    const record = await context.api.call(addLdapLink, { ...input, group_access: access_level });
    return { record };
  },
});

const { provider: ofProvider, cn: ofCn, filter: ofFilter } = LdapLink.shape;
const Removed = entity("Deleted", { provider: ofProvider, cn: ofCn, filter: ofFilter, status: outcome() });

const remove = command({
  name: "remove",
  summary: removeLdapLink.summary,
  details:
    "Give exactly one of --cn and --filter, and --provider. --legacy sends the deprecated requests that name the link " +
    "in the path, for releases without the newer ones: with --cn, and --provider if several servers have that CN. On " +
    `instances ${membersStay}: without a link, no synchronization removes them.`,
  params: {
    group: required(scope),
    cn: { ...cn, completes: "ldap-cn" },
    filter,
    provider,
    legacy: boolean("Send the deprecated request by path; not with --filter"),
  },
  requests: [removeLdapLink, removeLdapLinkByCn, removeLdapLinkByProvider, listLdapLinks],
  returns: Removed,
  prints: "record",
  examples: [
    { line: "ldap links remove -g acme --cn engineering --provider ldapmain" },
    { line: "ldap links remove -g acme --cn leads --legacy --yes" },
  ],
  undo: {
    line:
      "ldap links add -g {group} --provider={before.provider} [--cn={before.cn}] [--filter={before.filter}] " +
      "--access-level {before.group_access} [--member-role-id {before.member_role_id}]",
    before: listLdapLinks,
  },
  related: ["ldap links list", "ldap links add"],
  async run(context, { legacy = false, ...target }) {
    checkOne(target);
    if (legacy && target.filter !== undefined)
      throw new UsageError("give only one of --filter and --legacy", { hint: "--legacy takes --cn" });
    if (!legacy && target.provider === undefined) throw missing("--provider <provider>");
    const which = target.cn === undefined ? `filter ${target.filter}` : `CN ${target.cn}`;
    const where = target.provider === undefined ? "" : ` of ${target.provider}`;
    const action = `remove the LDAP group link with ${which}${where} (group ${target.group})`;
    const { endpoint, values } = removalOf(target, legacy);
    if (target.provider === undefined) await refuseSeveral(context, target);
    await confirm(context, { action, remark: membersStay });
    if (legacy)
      context.warn("the request by path is deprecated; leave out --legacy if the instance supports the newer one");
    const deletion = () => context.api.call(endpoint, values);
    await seenDeletedOrVerified(context, deletion, (api) => find(api, target), `the link with ${which}${where}`);
    const { provider = null, cn = null, filter = null } = target;
    return { record: { provider, cn, filter, status: "deleted" } };
  },
});

/** A second attempt of the request by CN alone would remove the link of the next server. */
async function refuseSeveral({ api, config }: Context, { group, cn }: Target): Promise<void> {
  if (config.dryRun) return;
  const providers = new Set<string>();
  try {
    for await (const link of linksOf(api, { group, provider: undefined })) {
      if (link.cn === cn) providers.add(link.provider ?? "another server");
    }
  } catch (error) {
    // The removal says why, if it is refused, too.
    if (!(error instanceof Failure) || error.exit === "interrupted") throw error;
  }
  if (providers.size < 2) return;
  throw new UsageError(`${[...providers].join(" and ")} have a link with CN ${cn}`, {
    nothing: "sent",
    hint: "name the server with --provider",
  });
}

async function find(api: Api, { cn, filter, ...place }: Target): Promise<object | undefined> {
  for await (const link of linksOf(api, place)) {
    if (cn === undefined ? link.filter === filter : link.cn === cn) return link;
  }
  return undefined;
}

/** A group's links, or those of one server. */
async function* linksOf(api: Api, { group, provider }: Pick<Target, "group" | "provider">) {
  for await (const link of emptyIfMissing(api.list(listLdapLinks, { group }, { limit: undefined }))) {
    if (provider === undefined || link.provider === provider) yield link;
  }
}

/** The request that removes a link. What cannot be sent is refused before anything is, the look included. */
function removalOf({ group, provider, cn, filter }: Target, legacy: boolean) {
  const byPath = provider === undefined ? removeLdapLinkByCn : removeLdapLinkByProvider;
  const endpoint = (legacy ? byPath : removeLdapLink) as Endpoint<object, undefined>;
  const values = { group, provider, cn, filter };
  buildRequest(endpoint, values);
  return { endpoint, values };
}

const list = command({
  name: "list",
  summary: listLdapLinks.summary,
  params: { group: required(scope), ...listFlags },
  requests: [listLdapLinks],
  returns: LdapLink,
  prints: "rows",
  examples: [{ line: "ldap links list -g acme" }],
  related: ["ldap links add", "saml links list"],
  async run(context, input) {
    const rows = context.api.list(listLdapLinks, input, windowOf(input));
    return {
      rows: { batches: () => emptyIfMissing(rows.batches()), cut: () => rows.cut() },
      columns: ["provider", "cn", "filter", "group_access", "member_role_id"],
    };
  },
});

/** Real instances answer 404 with a specific message if a group has no link. */
async function* emptyIfMissing<T>(batches: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* batches;
  } catch (error) {
    if (!isNotFound(error) || !noLdapLinks.test(error.details.reason ?? "")) throw error;
  }
}

const links = group("links", "LDAP users who become members of a group (self-managed)", [list, add, remove]);

export const ldap = [links];
