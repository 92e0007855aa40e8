import { Hook, HookEvent } from "../../api/endpoints/hooks.ts";
import { array, entity, nullable, string, timestamp } from "../../api/field.ts";
import { hideSecrets, treatSecrets } from "../../base/secrets.ts";
import type { ResourceView } from "../../verbs/resource-view.ts";
import { timeOf } from "./deliveries.ts";
import { kindsOf, kindsText } from "./event-kinds.ts";

/** A hook with its event flags as one list. */
export const ShownHook = entity(
  "Hook",
  {
    ...Hook.shape,
    events: array(string(), "The enabled kinds, in the format of --events", { worded: kindsText }),
  },
  {
    card: [
      "id",
      "name",
      "url",
      "events",
      "push_events_branch_filter",
      "enable_ssl_verification",
      "alert_status",
      "disabled_until",
      "url_variables.key",
      "custom_headers.key",
      "created_at",
    ],
  },
);

function withKinds(hook: object): object {
  return { ...hook, events: kindsOf(hook) };
}

/** A hook; a table shows the list of kinds in place of the flags. */
export const shownHook: ResourceView<typeof ShownHook.shape> = {
  entity: ShownHook,
  read: withKinds,
  columns: [
    "id",
    "group_id",
    "name",
    "description",
    "url",
    "events",
    "push_events_branch_filter",
    "branch_filter_strategy",
    "enable_ssl_verification",
    "alert_status",
    "disabled_until",
    "url_variables.key",
    "custom_headers.key",
    "custom_webhook_template",
    "created_at",
  ],
};

export const ShownEvent = entity("HookEvent", {
  ...HookEvent.shape,
  response_date: nullable(
    timestamp("Time of the delivery; where the instance shows none, of the receiver's answer, by its clock"),
  ),
});

/**
 * A delivery without its secrets. Which of the request's headers a user has set is not known, so only those are shown
 * that the platform itself sends (`2-collaboration-identity-api: Events`).
 */
export function withoutSecrets(event: object): object {
  const { request_headers: sent, response_headers: answered, ...rest } = event as Record<string, unknown>;
  return {
    ...rest,
    request_headers: withoutOwnSecrets(sent),
    response_headers: hideSecrets(answered),
    response_date: timeOf(event),
  };
}

/** The headers of a delivery, with the values of all but the platform's own hidden. */
export function withoutOwnSecrets<T>(headers: T): T {
  return treatSecrets(headers, { isSecret: (name) => !ownHeader.test(name) });
}

const ownHeader =
  /^(?:content-type|content-length|user-agent|host|accept|accept-encoding|connection|idempotency-key|x-[a-z]+(?:-[a-z]+)*-(?:event|webhook-uuid|instance|event-uuid))$/i;
