import { hookId, hookTriggers, testHook } from "../../api/endpoints/hooks.ts";
import { group as groupScope } from "../../api/endpoints/scope.ts";
import { entity, oneOf, outcome, required, string } from "../../api/field.ts";
import { Failure } from "../../base/errors.ts";
import { command } from "../../declare/command.ts";
import { refusalOf } from "./refusals.ts";

const kinds = hookTriggers.map((flag) => flag.replace(/_events$/, ""));
const trigger = oneOf(kinds, "Kind of the test event", { placeholder: "kind", suggests: hookTriggers });

const Tested = entity("HookTest", {
  hook_id: hookId,
  trigger: string("Kind of event"),
  status: outcome("delivered"),
});

export const test = command({
  name: "test",
  summary: testHook.summary,
  details:
    "The instance delivers a test event of this kind at once, whether or not the hook is subscribed to that " +
    `kind. It fails if the receiver does not answer with success, which instances count like any ` +
    `failed delivery: after four in a row they disable the hook, so that events are lost; a success enables it. Kinds that instances can test: ${kinds.join(", ")}.`,
  args: { hook_id: required(hookId) },
  params: { group: required(groupScope), trigger: required(trigger) },
  requests: [testHook],
  returns: Tested,
  prints: "record",
  examples: [{ line: "hooks test 1 -g acme --trigger push" }],
  related: ["hooks events", "hooks resend"],
  inspectWith: "hooks events {hook_id} -g {group}",
  async run(context, { group, hook_id, trigger: word }) {
    const kind = word.replace(/_events$/, "");
    await context.api.call(testHook, { group, hook_id, trigger: `${kind}_events` }).catch((error: unknown) => {
      const refused = refusalOf(error, { group, hook_id });
      throw refused ?? (error instanceof Failure && error.details.status === 422 ? undelivered(error) : error);
    });
    return { record: { hook_id, trigger: kind, status: "delivered" } };
  },
});

const maxLine = 200;
/** Characters of the receiver's page in which its first line is looked for, so that markup costs no time. */
const maxPage = 20_000;
const markup = /<(?:style|script|head)\b[^<>]*>[\s\S]*?<\/\w+>|<[^<>]*>/g;

/** What an instance says itself where it sends nothing: the hook's group has nothing of this kind. */
const nothingSent = /^(?:Testing not available for this hook|Ensure the \w+ has )/;

/** The reason of a 422 is the body of the receiver's answer, which may be a whole page, or empty. */
function undelivered(error: Failure): Failure {
  if (nothingSent.test(error.details.reason ?? ""))
    return error.with({ message: "nothing was delivered to test the hook" });
  const line = firstLine(error.details.reason ?? "");
  const isSilent = line === "" || /^\{"message":""\}$|^the instance (?:answered 422|did not accept)/.test(line);
  const cut = line.length > maxLine ? `${line.slice(0, maxLine)}...` : line;
  return error.with({
    message: "the receiver did not accept the test delivery",
    reason: `the receiver answered without success${isSilent ? ", with an empty body" : `: ${cut}`}`,
    hint: "the delivery, with its status: forgectl hooks events",
  });
}

/** The first line of a page that a person reads in it. */
export function firstLine(page: string): string {
  const [line = ""] = page.slice(0, maxPage).replace(markup, "\n").trim().split("\n", 1);
  return line.trimEnd();
}
