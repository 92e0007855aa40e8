import { expect, test } from "vitest";
import { Failure } from "../../../src/base/errors.ts";
import { refusalOf, resendFailure } from "../../../src/commands/hooks/refusals.ts";

const place = { group: "acme", hook_id: 2 };
const said = (reason: string, status = 422) => new Failure("refused", "could not send", { status, reason });

test.each([
  ["Hook disabled", "forgectl hooks test 2 -g acme --trigger push"],
  ["Silent mode enabled", "forgectl settings set silent_mode_enabled=false"],
  ["Recursive webhook blocked", "loop"],
  ["The hook URL has changed, and this log entry cannot be retried", "do not resend it"],
])("%s: the hint says what helps, and the reason stays", (reason, hint) => {
  for (const error of [refusalOf(said(reason), place), resendFailure(said(reason), place) as Failure]) {
    expect(error?.details).toMatchObject({ reason, hint: expect.stringContaining(hint) });
  }
});

test("any other 422 of a resend is the receiver's silence; other errors are left as they are", () => {
  const error = resendFailure(said("execution expired"), place) as Failure;
  expect([error.message, error.details.reason]).toEqual([
    "the receiver did not answer",
    "the receiver did not answer: execution expired",
  ]);
  const limited = said("too many", 429);
  expect([resendFailure(limited, place), refusalOf(limited, place)]).toEqual([limited, undefined]);
});
