import { listHookEvents, listHooks } from "../../api/endpoints/hooks.ts";
import { listDescendantGroups } from "../../api/endpoints/places.ts";
import { array, boolean, entity, id, nullable, string, timestamp, uncut } from "../../api/field.ts";
import { shorter } from "../../api/shorter-lists.ts";
import { missing, reasonIn } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { auditEach, concernsOneScope } from "../../verbs/audit.ts";
import { placeNames } from "../../verbs/scope-names.ts";
import { wholeList, wholeRows } from "../../verbs/whole-list.ts";
import { originOf } from "./origin.ts";
import { type AuditedHook, undeliveredOf, unreadReasons, verdictsOn, weaknessNames } from "./weaknesses.ts";

const HookFinding = entity("HookFinding", {
  group: uncut("Path of the group, as given or as listed"),
  id: nullable(id("Hook ID")),
  name: nullable(string()),
  finding: string(`${weaknessNames.join(", ")}, or unreadable`, {
    tones: { plain_http: "bad", foreign_host: "bad", unreadable: "bad", "*": "doubtful" },
  }),
  detail: uncut("Scheme and host of the address, the state of the hook, or why the group could not be read"),
  since: nullable(timestamp("The oldest undelivered event")),
});

interface Found {
  readonly group: string;
  readonly id: number | null;
  readonly name: string | null;
  readonly finding: string;
  readonly detail: string;
  readonly since: string | null;
}

export const audit = command({
  name: "audit",
  summary: "Find webhooks of groups that are not secure, or do not work",
  details:
    "One row per finding, for the groups and all groups below: plain_http, no_certificate_check, no_secret and disabled " +
    "(if the instance shows it), failing (events that no later delivery delivered), and with --allowed-hosts " +
    "foreign_host; unreadable is a group, or whether a hook uses http or checks certificates, that the instance does not show. A host " +
    "is not an allowed one if a variable stands before the path of its address, since the instance fills in the value " +
    "first. An address may contain a secret, so only its scheme and host are shown.",
  params: {
    group: array(string("", { placeholder: "id|path" }), "This group and all groups below it", { short: "g" }),
    allowed_hosts: array(string("", { placeholder: "glob" }), "Hosts that hooks may send to; others are findings"),
    exit_code: boolean("Exit 10 if something is found"),
  },
  requests: [listHooks, listDescendantGroups, listHookEvents],
  returns: HookFinding,
  prints: "rows",
  examples: [
    { line: "hooks audit -g acme" },
    { line: "hooks audit -g acme --allowed-hosts '*.acme.example' --exit-code" },
  ],
  related: ["hooks health", "hooks update", "audit"],
  async run(context, { group = [], allowed_hosts: allowed, exit_code: exitCode }) {
    if (group.length === 0) throw missing("-g, --group", { hint: "give -g <id|path>..." });
    const { paths, unlisted } = await withGroupsBelow(context, placeNames(context, group, "group"));
    const inspect = async (path: string) => {
      const found = await findingsOf(context, path, allowed);
      const why = unlisted.get(path);
      return why === undefined ? found : [...found, unreadable(path, `the groups below it: ${why}`)];
    };
    const audited = auditEach(
      context,
      { names: paths, noun: "groups", exitCode },
      { inspect, unreadable, isFound: (row) => !isUnread(row), isUnread },
    );
    return { ...audited, columns: ["group", "id", "name", "finding", "detail", "since"] };
  },
});

function unreadable(group: string, detail: string): Found {
  return { group, id: null, name: null, finding: "unreadable", detail, since: null };
}

function isUnread({ finding }: Found): boolean {
  return finding === "unreadable";
}

/** The groups and those below them, each once; of one that cannot be listed only itself. */
async function withGroupsBelow(context: Context, groups: readonly string[]) {
  const paths = new Set<string>();
  const unlisted = new Map<string, string>();
  for (const group of groups) {
    paths.add(group);
    try {
      for await (const { full_path: path } of wholeRows(context.api, listDescendantGroups, { group })) paths.add(path);
    } catch (error) {
      if (!concernsOneScope(error)) throw error;
      unlisted.set(group, reasonIn(error));
    }
  }
  return { paths: [...paths], unlisted };
}

async function findingsOf(context: Context, group: string, allowed: readonly string[] | undefined): Promise<Found[]> {
  const found: Found[] = [];
  const { rows, isWhole } = await wholeList(context.api, listHooks, { group });
  for (const row of rows) {
    const hook = row as AuditedHook;
    const undelivered = await undeliveredOf(context, group, hook);
    for (const { name, weak, detail, since } of verdictsOn(hook, undelivered, { allowed, now: context.now() })) {
      const at = { group, id: hook.id, name: hook.name ?? originOf(hook.url).host ?? null };
      if (weak === true) found.push({ ...at, finding: name, detail, since });
      const reason = weak === undefined ? unreadReasons[name] : undefined;
      if (reason !== undefined) found.push({ ...at, finding: "unreadable", detail: reason(detail), since: null });
    }
  }
  if (!isWhole) found.push(unreadable(group, reasonIn(shorter())));
  return found;
}
