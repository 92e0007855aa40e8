import { DryRunStop } from "../../api/api.ts";
import { getHook, hookId, removeHookHeader, updateHook } from "../../api/endpoints/hooks.ts";
import { group as groupScope } from "../../api/endpoints/scope.ts";
import { array, boolean, required, string } from "../../api/field.ts";
import { Failure, missing, UsageError } from "../../base/errors.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { confirmSeen, refuseOther } from "../../verbs/confirm.ts";
import { inTurn } from "../../verbs/in-turn.ts";
import { recordOf, storedAs } from "../../verbs/resource-view.ts";
import { changeFlags, readChange, secretDetails } from "./change.ts";
import { ignorable, parseKinds, warnOfIgnored } from "./event-kinds.ts";
import {
  bodiesOf,
  type HookChange,
  headersAfter,
  losses,
  moves,
  nameAmong,
  outcomeTexts,
  type Present,
  presentOf,
} from "./stored-secrets.ts";
import { flagsBack } from "./undo.ts";
import { checkUrl } from "./url.ts";
import { ShownHook, shownHook } from "./view.ts";

interface Hook {
  group: string;
  hook_id: number;
}

export const update = command({
  name: "update",
  summary: updateHook.summary,
  details:
    "Attributes that are not given are unchanged: --events turns the listed kinds on and, with a leading -, off. The API requires " +
    "the URL each time: without --url the current one is read and sent. " +
    "Stored secrets cannot be read back, so a change asks before it drops any that are not given again: with a " +
    "new URL instances drop the token, the headers, and the URL variables; with --header some drop the headers that " +
    `are not given, others keep them. ${secretDetails}`,
  args: { hook_id: required(hookId) },
  params: {
    group: required(groupScope),
    url: string("Address that receives the deliveries, http or https"),
    ...changeFlags,
    no_token: boolean("Remove the secret token"),
    remove_header: array(string("", { placeholder: "key", min: 1 }), "Remove this header"),
  },
  requests: [getHook, updateHook, removeHookHeader],
  returns: ShownHook,
  prints: "record",
  examples: [
    { line: "hooks update 2 -g acme --events push,-tag_push" },
    { line: "hooks update 2 -g acme --token-file token.txt", note: "a new secret token" },
    { line: "hooks update 2 -g acme --url https://new.example.com/in --dry-run", note: "the request, not sent" },
    { line: "hooks update 2 -g acme --remove-header X-Deploy-Key" },
  ],
  undo: {
    line:
      "hooks update {hook_id} -g {group} [--events={before.events}] [--name={before.name}] " +
      "[--description={before.description}] [--branch-filter={before.branch_filter}] " +
      "[--branch-filter-strategy={before.branch_filter_strategy}] [{before.ssl|--ssl-verification|--no-ssl-verification}]",
    before: getHook,
    inWords: flagsBack,
    // What a change of these replaces is a secret, or is dropped with it.
    unless: ["url", "token_stdin", "token_file", "no_token", "header", "header_file", "remove_header", "template_file"],
  },
  related: ["hooks get", "hooks create"],
  async run(context, { group, hook_id, url, no_token, remove_header = [], ...flags }) {
    if (url !== undefined) checkUrl(url, "--url");
    if (no_token && (flags.token_stdin || flags.token_file !== undefined)) {
      throw new UsageError("--no-token removes the token: leave out --token-stdin and --token-file");
    }
    const read = await readChange(context, flags, {});
    if (url === undefined && read === undefined && !no_token && remove_header.length === 0) {
      throw missing("a flag that changes the hook", { hint: "--events push,-note" });
    }
    checkRemoved(remove_header, read?.custom_headers ?? []);
    const hook = { group, hook_id };
    return inTurn(context, `hook ${hook_id}`, async () => {
      const stored = await context.api.call(getHook, hook);
      // Every kind is every kind that this instance has.
      const kinds = flags.events === undefined ? {} : parseKinds(flags.events, stored);
      const attributes = { ...read, ...kinds, ...(no_token && { token: "" }) };
      const present = presentOf(stored);
      const change = { url, attributes, removed: headersOf(hook, present, remove_header) };
      await confirmLosses(context, hook, present, change);
      const changed = await apply(context, { hook, stored, present, change, events: flags.events }).catch(
        storedAs(shownHook),
      );
      warnOfIgnored(context, flags.events, changed);
      return recordOf(shownHook, { ...stored, ...changed });
    });
  },
});

function checkRemoved(removed: readonly string[], given: readonly { key: string }[]): void {
  const names = given.map(({ key }) => key);
  const both = removed.find((name) => nameAmong(names, name) !== undefined);
  if (both !== undefined) throw new UsageError(`--remove-header: ${both} is given with --header too`);
}

/** The headers to remove, as the hook has them; one that it lacks is a Failure, and nothing is sent. */
function headersOf({ group, hook_id }: Hook, { headers }: Present, removed: readonly string[]): string[] {
  const names = removed.map((name) => {
    const found = nameAmong(headers, name);
    if (found !== undefined) return found;
    throw new Failure("notFound", `hook ${hook_id} of group ${group} has no header ${name}`, {
      reason: headers.length === 0 ? "it has no custom headers" : `its custom headers: ${headers.join(", ")}`,
    });
  });
  return [...new Set(names)];
}

async function confirmLosses(context: Context, hook: Hook, present: Present, change: HookChange) {
  const { group, hook_id } = hook;
  const lost = losses(present, change);
  if (lost.length === 0) return;
  const what = lost.join(" and ");
  if (context.config.dryRun && moves(present, change)) context.warn(`a new URL drops ${what}`);
  const question = {
    action: moves(present, change)
      ? `change the URL of hook ${hook_id} of group ${group}, which drops ${what}`
      : `set headers of hook ${hook_id} of group ${group}, which drops ${what} if the instance treats them as the whole list`,
    instead:
      "give the values to keep again (--token-file, --header-file), or remove them (--no-token, --remove-header)",
  };
  await confirmSeen(context, question, seenIn(context, hook, present));
}

/** The URL is sent back as it was read: an older one would drop what is stored with a new one. */
function seenIn(context: Context, hook: Hook, present: Present) {
  const look = async () => presentOf(await context.api.call(getHook, hook));
  return { seen: present, look, what: `hook ${hook.hook_id} of group ${hook.group}` };
}

interface Applying {
  hook: Hook;
  /** The hook before the change. */
  stored: object;
  present: Present;
  change: HookChange;
  /** `--events` as typed. */
  events: string | undefined;
}

/** Sends the requests in order and returns the hook's fields afterwards. */
async function apply(context: Context, { hook, stored, present, change, events }: Applying): Promise<object> {
  const isUpdate = change.url !== undefined || Object.keys(change.attributes).length > 0;
  const bodies = isUpdate ? bodiesOf(present, change) : [];
  let answer: object = {};
  let made = false;
  const step = async <T>(act: () => Promise<T>): Promise<T | undefined> => {
    try {
      const value = await act();
      made = true;
      return value;
    } catch (error) {
      // A dry run shows all of the requests.
      if (error instanceof DryRunStop) return undefined;
      throw made ? partlyMade(error, hook) : error;
    }
  };
  const afterWait = async () => {
    // From the first request on, it is as this run has made it.
    if (!made) await refuseOther(seenIn(context, hook, present), "the request had to wait");
  };
  const options = { before: stored, mayIgnore: ignorable(events), afterWait };
  for (const body of bodies) {
    answer = (await step(() => context.api.call(updateHook, { ...hook, ...body }, options))) ?? answer;
  }
  if (isUpdate && !context.config.dryRun) noticeOutcome(context, present, change, answer);
  const left = headersAfter(present, answer);
  for (const key of change.removed.filter((name) => left.includes(name))) {
    await step(() => context.api.call(removeHookHeader, { ...hook, key }));
  }
  if (context.config.dryRun) throw new DryRunStop();
  const remaining = left.filter((name) => !change.removed.includes(name));
  return { ...answer, custom_headers: remaining.map((key) => ({ key })) };
}

function noticeOutcome(context: Context, present: Present, change: HookChange, answer: object): void {
  for (const text of outcomeTexts(present, change, answer)) {
    if (moves(present, change)) context.warn(text);
    else context.notice(text);
  }
}

/** An earlier request changed the hook, and a later one failed. */
function partlyMade(error: unknown, { group, hook_id }: Hook): unknown {
  if (!(error instanceof Failure) || error.exit === "interrupted") return error;
  return error.with({
    message: `hook ${hook_id} was changed only in part: ${error.message}`,
    hint: `check it: forgectl ${commandLine(["hooks", "get", String(hook_id), "-g", group])}`,
  });
}
