import { booleanIn, notShown } from "../../base/answered-value.ts";
import { reasonIn } from "../../base/errors.ts";
import { fitsAny } from "../../base/globs.ts";
import { memoized } from "../../base/memo.ts";
import { counted } from "../../base/wording.ts";
import type { Context } from "../../context.ts";
import { concernsOneScope } from "../../verbs/audit.ts";
import { deliveriesOf } from "./deliveries.ts";
import { undeliveredIn } from "./delivery-verdict.ts";
import { isDisabled } from "./disabled-hook.ts";
import { originOf } from "./origin.ts";

// What is weak about a webhook, for hooks audit and audit.

export const weaknessNames = [
  "plain_http",
  "no_certificate_check",
  "no_secret",
  "failing",
  "disabled",
  "foreign_host",
] as const;
type Name = (typeof weaknessNames)[number];

/** What a release shows, so that a hook of which it is not known was not audited in full. */
export const unreadReasons: Readonly<Partial<Record<Name, (detail: string) => string>>> = {
  plain_http: (detail) => `whether it is http or https cannot be told: ${detail}`,
  no_certificate_check: () => notShown("enable_ssl_verification"),
  failing: (detail) => `its deliveries, which releases have since 17.3, could not be read: ${detail}`,
};

/** The fields that the rules read; instances before release 18 do not return `token_present`. */
export interface AuditedHook {
  readonly id: number;
  readonly name?: string | null;
  readonly url: string;
  readonly enable_ssl_verification?: boolean;
  readonly alert_status?: string;
  readonly disabled_until?: string | null;
  readonly token_present?: boolean;
  readonly signing_token_present?: boolean;
  readonly custom_webhook_template?: unknown;
}

export interface Verdict {
  readonly name: Name;
  /** Undefined if the instance does not show what decides. */
  readonly weak: boolean | undefined;
  readonly detail: string;
  readonly since: string | null;
}

/** The deliveries of a hook that failed and that no later one replaced. */
export interface Undelivered {
  readonly count: number;
  /** The time of the oldest. */
  readonly since: string | null;
  /** Why they could not be read: then none is known. */
  readonly unread?: string;
}

/** The rest of a hook is judged where its deliveries cannot be read: the release may not have them. */
export async function undeliveredOf(context: Context, group: string, hook: AuditedHook): Promise<Undelivered> {
  try {
    const deliveries = await deliveriesOf(context.api, { group, hook_id: hook.id }, { hook });
    const { missing, since } = undeliveredIn(deliveries, hook);
    return { count: missing, since };
  } catch (error) {
    if (!concernsOneScope(error)) throw error;
    return { count: 0, since: null, unread: reasonIn(error) };
  }
}

/**
 * Judges a hook by each rule. An address may contain a secret, so that only its scheme and host appear in details.
 *
 * @param allowed globs of hosts; without them, every host is allowed
 * @param now the time at which a hook is disabled or not
 */
export function verdictsOn(
  hook: AuditedHook,
  { count, since, unread }: Undelivered,
  { allowed, now }: { readonly allowed: readonly string[] | undefined; readonly now: Date },
): Verdict[] {
  const origin = originOf(hook.url);
  const status = hook.alert_status ?? "executable";
  const until =
    hook.disabled_until === null || hook.disabled_until === undefined ? "" : ` until ${hook.disabled_until}`;
  const secret = booleanIn(hook.token_present);
  const checks = booleanIn(hook.enable_ssl_verification);
  const unchecked = checks === undefined ? undefined : !checks;
  // An address with a variable in front may be of either scheme; what an address does not have is left out as in any.
  const isPlain = origin.scheme === undefined ? undefined : origin.scheme === "http";
  const say = (name: Name, weak: boolean | undefined, detail: string, since: string | null = null): Verdict => ({
    ...{ name, weak, detail, since },
  });
  return [
    say("plain_http", isPlain, origin.text),
    say("no_certificate_check", isPlain === true ? false : unchecked, origin.text),
    say("no_secret", secret === undefined ? undefined : !secret && hook.signing_token_present !== true, origin.text),
    unread === undefined
      ? say("failing", count > 0, `${counted(count, "event")} not delivered`, since)
      : say("failing", undefined, unread),
    say("disabled", isDisabled(hook, now), `${status}${until}`),
    ...(allowed === undefined ? [] : [say("foreign_host", !isAllowed(origin.host, allowed), origin.text)]),
  ];
}

function isAllowed(host: string | undefined, allowed: readonly string[]): boolean {
  return host !== undefined && hostTest(allowed)(host.toLowerCase());
}

const hostTest = memoized((allowed: readonly string[]) => fitsAny(allowed.map((glob) => glob.toLowerCase())));
