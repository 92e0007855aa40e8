import { expect, test } from "vitest";
import { Ended, refuseOther } from "../../../src/state/apply/before-sending.ts";
import type { Values } from "../../../src/state/kind.ts";
import { hooksKind } from "../../../src/state/kinds/hooks.ts";
import { asItIs } from "../../../src/state/plan/live-comparison.ts";
import { changeOf, comparedWith } from "../../support/compared.ts";

// The look after a wait: the requests of a change were made from the object as it was before.

const deploys = { id: 2, name: "Deploys", url: "https://a.example/in", push_events: true, description: "was" };
const change = changeOf(hooksKind, { name: "Deploys", description: "set" }, deploys);

function ended(...live: Values[]): string | undefined {
  const sent = asItIs(change, { values: deploys });
  const now = comparedWith(
    change,
    live.map((values) => ({ values })),
  );
  try {
    refuseOther(change, sent, now);
  } catch (error) {
    if (error instanceof Ended) return error.result.status;
    throw error;
  }
  return undefined;
}

test.each<[what: string, live: Values[], status: string | undefined]>([
  ["as it was is sent", [deploys], undefined],
  ["that differs in what is not sent is sent", [{ ...deploys, alert_status: "disabled" }], undefined],
  ["with another value of what is set is stale", [{ ...deploys, description: "other" }], "stale"],
  [
    "with another value of what is sent back as it was read is stale",
    [{ ...deploys, url: "https://b.example/in" }],
    "stale",
  ],
  ["that is gone is stale", [], "stale"],
  ["that another user has set is unchanged", [{ ...deploys, description: "set" }], "unchanged"],
])("an object %s", (_, live, status) => {
  expect(ended(...live)).toBe(status);
});
