import { getOwnJob, getOwnToken } from "../../api/endpoints/about.ts";
import { getCatalog, getRegistryToken } from "../../api/endpoints/registry.ts";
import { getCurrentUser } from "../../api/endpoints/users.ts";
import { boolean, entity, nullable, oneOf, string, uncut } from "../../api/field.ts";
import { exitCodes, UsageError } from "../../base/errors.ts";
import { unlessHidden } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import type { Passage } from "../../terminal/view.ts";
import { onSameInstance } from "../../verbs/instance-flags.ts";
import { releaseRequests } from "../../verbs/release.ts";
import { examineApi } from "./api/index.ts";
import { type Check, examine, type Found, results } from "./checks.ts";
import { configurationChecks } from "./configuration.ts";
import { instanceChecks } from "./instance.ts";
import { networkChecks } from "./network.ts";
import { programChecks } from "./program.ts";
import { registryChecks } from "./registry.ts";
import { signInChecks } from "./sign-in.ts";
import { openSubject } from "./subject.ts";

const tones = { ok: "good", warn: "doubtful", fail: "bad", skipped: "quiet" } as const;

const CheckResult = entity("CheckResult", {
  check: string("Name of the check, which stays the same"),
  result: oneOf(results, "skipped: not checked, for the reason in detail", { tones }),
  detail: uncut("What was found; secrets are left out"),
  hint: nullable(uncut("What to do about it: a command or a sentence")),
});

/** Maximum duration of a check. */
const maxMs = 10_000;
/** The network timeout is shorter, so that its error is reported before the check times out. */
const graceMs = 1000;

export const doctor = command({
  name: "doctor",
  details:
    "Checks files, profile, proxy, DNS, connection, certificate, API, token, clock, registry, and program, as " +
    "far as possible, and changes nothing. A check that depends on a failed one is skipped; none takes longer than 11 s, " +
    "or --timeout and 1 s. The exit code is 0, or that of the first failed check. Secrets are left out, so that the " +
    "result can be pasted into a ticket. --api shows instead where the instance differs from the API documents: it only " +
    "reads, sends at most one request per row, and prints no values of the instance.",
  params: {
    offline: boolean("Send nothing: check only what is on this machine"),
    api: boolean("Instead, ask every GET once, and compare the answers with the API documents"),
    project: string("With --api: ask about this project", { short: "p", placeholder: "id|path", completes: "project" }),
    group: string("With --api: ask about this group", { short: "g", placeholder: "id|path", completes: "group" }),
  },
  requests: [getCurrentUser, getOwnToken, getOwnJob, ...releaseRequests, getCatalog, getRegistryToken],
  returns: CheckResult,
  prints: "rows",
  examples: [
    { line: "doctor" },
    { line: "doctor --offline", note: "sends nothing" },
    { line: "doctor --api -p acme/storefront -g acme", note: "does the instance answer as documented?" },
    { line: `doctor -o json --jq '.[] | select(.result == "fail") | .check'`, note: "only what failed" },
  ],
  related: ["auth status", "profiles show", "completion install"],
  async run(context, { offline = false, api = false, ...scopes }) {
    if (api && offline) throw new UsageError("give only one of --api and --offline");
    if (api) return examineApi(context, scopes);
    if (scopes.project !== undefined || scopes.group !== undefined) {
      throw new UsageError("--project and --group need --api");
    }
    const limitMs = Math.min(context.config.timeoutMs, maxMs);
    const subject = await openSubject(context, { limitMs, offline });
    const checks: Check[] = [
      ...configurationChecks(subject),
      ...signInChecks(subject),
      ...networkChecks(subject),
      ...instanceChecks(subject),
      ...registryChecks(subject),
      ...programChecks(subject),
    ];
    const failures: Found[] = [];
    return {
      rows: rows(context, examine(context, checks, { offline, limitMs: limitMs + graceMs }), failures),
      columns: ["check", "result", "detail", "hint"],
      validIfPartial: true,
      finishes: true,
      passage: (row) => passageOf(row as Row),
      until: async (printed) => {
        await printed;
        context.notice(summary(checks.length, failures));
      },
      exitCode: () => exitCodes[failures[0]?.exit ?? (failures.length > 0 ? "refused" : "done")],
    };
  },
});

interface Row {
  check: string;
  result: Found["result"];
  detail: string;
  hint: string | null;
}

async function* rows(context: Context, found: AsyncIterable<Found>, failures: Found[]): AsyncGenerator<Row> {
  const task = context.progress.start("checking");
  try {
    for await (const each of found) {
      const { check, result, detail, hint } = each;
      if (result === "fail") failures.push(each);
      yield {
        check,
        result,
        detail: context.redact(detail),
        hint: shownHint(context, hint ?? null),
      };
    }
  } finally {
    task.stop();
  }
}

/** Without the typed flags, `forgectl auth login` would sign in to the instance of the current profile. */
function shownHint(context: Context, hint: string | null): string | null {
  const shown = unlessHidden(hint, context.redact);
  return shown && onSameInstance(context.config, shown);
}

function summary(total: number, failures: readonly Found[]): string {
  if (failures.length === 0) return "nothing failed";
  return `${failures.length} of ${total} checks failed: ${failures.map(({ check }) => check).join(", ")}`;
}

const widest = { result: "skipped".length, check: "registry_token".length };

function passageOf({ check, result, detail, hint }: Row): Passage {
  const heading = [result.padEnd(widest.result), check.padEnd(widest.check)];
  return { heading, tone: tones[result], beside: hint === null ? detail : `${detail}\ntry: ${hint}` };
}
