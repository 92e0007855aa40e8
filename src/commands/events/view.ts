import { Event } from "../../api/endpoints/events.ts";
import { entity, nullable, string } from "../../api/field.ts";
import { isObject } from "../../base/is-object.ts";
import type { ResourceView } from "../../verbs/resource-view.ts";

const ShownEvent = entity("Event", {
  ...Event.shape,
  subject: nullable(string("Title of the target; of a push, its branch or tag and the title of its last commit")),
});

/** An event; a push has no target, so that its subject is what was pushed. */
export const shownEvent: ResourceView<typeof ShownEvent.shape> = {
  entity: ShownEvent,
  read: (event) => ({ ...event, subject: subjectOf(event) }),
};

function subjectOf({ target_title: title, push_data: push }: { target_title?: unknown; push_data?: unknown }) {
  if (!isObject(push)) return title ?? null;
  const parts = [push.ref, push.commit_title].filter((part) => typeof part === "string" && part !== "");
  return parts.length === 0 ? (title ?? null) : parts.join(": ");
}
