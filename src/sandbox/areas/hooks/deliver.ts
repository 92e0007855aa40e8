import { randomUUID } from "node:crypto";
import type { World } from "../../store/world.ts";
import {
  type GroupHook,
  groupHooks,
  type HookDelivery,
  type HookKind,
  hookDeliveries,
  hookKinds,
  isExecutable,
} from "./model.ts";
import { type Answer, post, Undelivered } from "./send.ts";
import { fillTemplate, TemplateError } from "./template.ts";

/** The part of a delivery that a resend repeats. */
interface Letter {
  readonly trigger: string;
  /** The headers that describe the event, from {@link eventHeaders}. */
  readonly headers: Readonly<Record<string, string>>;
  readonly data: unknown;
}

/** Replaces secrets of the request in a record. */
const redacted = "[REDACTED]";

/** The headers that name an event and its delivery to one hook (2-collaboration-identity-api: Events). */
export function eventHeaders(
  hook: GroupHook,
  kind: HookKind,
  about: { readonly instance: string; readonly eventUuid: string; readonly key: string },
): Record<string, string> {
  return {
    "Content-Type": "application/json",
    "User-Agent": "forgectl-sandbox",
    "Idempotency-Key": about.key,
    "X-Service-Event": hookKinds[kind].event,
    "X-Service-Webhook-UUID": hook.uuid,
    "X-Service-Instance": about.instance,
    "X-Service-Event-UUID": about.eventUuid,
  };
}

/** Delivers an event to a hook. */
export function deliverEvent(
  world: World,
  hook: GroupHook,
  about: { readonly kind: HookKind; readonly eventUuid: string; readonly payload: unknown },
): Promise<HookDelivery> {
  const headers = eventHeaders(hook, about.kind, {
    instance: world.url,
    eventUuid: about.eventUuid,
    key: randomUUID(),
  });
  return deliver(world, hook, { trigger: hookKinds[about.kind].trigger, headers, data: about.payload });
}

/**
 * Resends a recorded delivery to the hook's current URL with its current secrets. A real instance applies the hook's
 * template to the record, which it has been applied to before.
 */
export function deliverAgain(world: World, hook: GroupHook, record: HookDelivery): Promise<HookDelivery> {
  const own = ([, value]: [string, string]) => value !== redacted;
  const headers = Object.fromEntries(Object.entries(record.request_headers).filter(own));
  return deliver(world, hook, { trigger: record.trigger, headers, data: record.request_data }, true);
}

/** Sends a delivery and records the outcome, including failures. */
async function deliver(world: World, hook: GroupHook, letter: Letter, again = false): Promise<HookDelivery> {
  const started = performance.now();
  const outcome = await attempt(world, hook, letter, again);
  // Aborted because the sandbox is closing: nothing more may be stored.
  world.signal.throwIfAborted();
  const { status = 0 } = outcome.answer ?? {};
  if (status >= 200 && status < 300) enable(world, hook);
  else if (world.asDeployed && !(status >= 300 && status < 400)) disable(world, hook);
  return world.store.table(hookDeliveries).insert({
    hook_id: hook.id,
    created_at: world.timestamp(),
    url: world.asDeployed ? withoutCredentials(hook.url) : hook.url,
    address: addressOf(hook),
    trigger: letter.trigger,
    request_headers: { ...letter.headers, ...mapped(secretsOf(hook), () => redacted) },
    request_data: world.asDeployed ? withoutEmails(outcome.data) : outcome.data,
    response_headers: outcome.answer?.headers ?? {},
    response_body: outcome.answer?.body ?? outcome.problem,
    execution_duration: Math.round((performance.now() - started) * 1000) / 1_000_000,
    response_status: outcome.answer === undefined ? "internal error" : String(outcome.answer.status),
  });
}

/** A success ends the time for which a hook is disabled. */
function enable(world: World, { id }: GroupHook): void {
  const hooks = world.store.table(groupHooks);
  const until = hooks.get(id)?.disabled_until ?? null;
  if (until !== null) hooks.update(id, { disabled_until: null });
}

const toleratedFailures = 3;
const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;

/** After more failures in a row, a real instance sends nothing for a time that doubles with each. */
function disable(world: World, hook: GroupHook): void {
  const before = world.store.table(hookDeliveries).where(({ hook_id }) => hook_id === hook.id);
  const lastGood = before.findLastIndex(({ response_status: status }) => /^[23]\d\d$/.test(status));
  const excess = before.length - lastGood - 1 - toleratedFailures;
  if (excess < 0 || !isExecutable(hook, world.timestamp())) return;
  const until = new Date(world.now().getTime() + Math.min(dayMs, minuteMs * 2 ** excess)).toISOString();
  world.store.table(groupHooks).update(hook.id, { disabled_until: until });
}

interface Outcome {
  readonly data: unknown;
  readonly answer?: Answer;
  readonly problem: string;
}

async function attempt(world: World, hook: GroupHook, letter: Letter, again: boolean): Promise<Outcome> {
  let { data } = letter;
  try {
    const template = hook.custom_webhook_template;
    if (template !== "" && (world.asDeployed || !again)) data = fillTemplate(template, data, world.asDeployed);
    const address = addressOf(hook);
    if (!URL.canParse(address)) throw new Undelivered("the URL is not valid");
    const message = {
      headers: { ...letter.headers, ...secretsOf(hook) },
      body: JSON.stringify(data),
      verify: hook.enable_ssl_verification,
    };
    return { data, answer: await post(new URL(address), message, world.signal), problem: "" };
  } catch (error) {
    // A real instance has nothing to record then.
    if (error instanceof TemplateError && world.asDeployed) return { data: {}, problem: error.message };
    if (error instanceof Undelivered || error instanceof TemplateError) return { data, problem: error.message };
    throw error;
  }
}

/** Headers that records omit. */
function secretsOf(hook: GroupHook): Record<string, string> {
  return {
    ...Object.fromEntries(hook.custom_headers.map(({ key, value }) => [key, value])),
    ...(hook.token !== null && { "X-Service-Token": hook.token }),
  };
}

/** The URL with its variables filled in. */
export function addressOf(hook: GroupHook): string {
  return hook.url_variables.reduce((url, { key, value }) => url.replaceAll(`{${key}}`, value), hook.url);
}

/** An address in the records of a real instance. */
function withoutCredentials(url: string): string {
  return url.replace(/\/\/[^/?#]*@/, "//*****:*****@");
}

/** Whether the hook's address is another one than that of a delivery. */
export function hasMoved(hook: GroupHook, record: HookDelivery): boolean {
  return record.address !== undefined && record.address !== addressOf(hook);
}

/** A record on a real instance: every value that is an email address is replaced, for a resend too. */
export function withoutEmails(value: unknown): unknown {
  if (typeof value === "string") return /^[^\s@]+@[^\s@]+$/.test(value) ? redacted : value;
  if (Array.isArray(value)) return value.map(withoutEmails);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutEmails(each)]));
}

function mapped(values: Readonly<Record<string, string>>, to: () => string): Record<string, string> {
  return Object.fromEntries(Object.keys(values).map((name) => [name, to()]));
}
