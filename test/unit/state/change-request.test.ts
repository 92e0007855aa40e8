import { describe, expect, test } from "vitest";
import { Failure, reasonIn } from "../../../src/base/errors.ts";
import { send } from "../../../src/state/apply/change-request.ts";
import type { Change, Values } from "../../../src/state/kind.ts";
import { environmentsKind } from "../../../src/state/kinds/environments.ts";
import { hooksKind } from "../../../src/state/kinds/hooks.ts";
import { samlLinksKind } from "../../../src/state/kinds/links.ts";
import { changeOf, comparedWith } from "../../support/compared.ts";
import { scriptedInstance } from "../../support/scripted-instance.ts";

type Reply = ReturnType<Parameters<typeof scriptedInstance>[0]>;

const link = { name: "Engineering", access_level: 30, provider: "okta" };
const replacement = changeOf(samlLinksKind, { name: "Engineering", access_level: 40 }, link);
const made = { ...link, access_level: 40 };
const hook = { id: 2, name: "Deploys", url: "https://a.example", push_events: true, custom_headers: [] };

/** Sends a change with these answers, one after the other; after a lost one, the list is as `seen` says. */
async function sent(change: Change, answers: Reply[], ...seen: (Values[] | undefined)[]) {
  const { context, requests } = await scriptedInstance(() => answers.shift() ?? [500, {}]);
  const look = async () => {
    const all = seen.shift();
    return all === undefined
      ? undefined
      : comparedWith(
          change,
          all.map((values) => ({ values })),
        );
  };
  const outcome = await send(context, change, { look, afterWait: async () => undefined });
  const methods = requests.map(({ method }) => method).join(" ");
  if ("answer" in outcome) return { methods, answer: outcome.answer, bodies: requests.map(({ body }) => body) };
  const { failure, partly } = outcome;
  return {
    methods,
    partly,
    why: reasonIn(failure),
    bodies: requests.map(({ body }) => body),
    failure,
  };
}

describe("a replacement is one unit", () => {
  test("of a removal and a creation", async () => {
    const { methods, answer } = await sent(replacement, [[204], [201, made]]);
    expect([methods, answer]).toEqual(["DELETE POST", made]);
  });

  test("of which a refused removal is nothing done", async () => {
    expect(await sent(replacement, [[403, { message: "no" }]])).toMatchObject({
      methods: "DELETE",
      partly: false,
      why: "no",
    });
  });

  test("a refused creation restores the old entry, with all that it had", async () => {
    const refused = await sent(replacement, [[204], [422, { message: "no" }], [201, link]]);
    expect(refused).toMatchObject({ methods: "DELETE POST POST", partly: true, why: "no; the old one was restored" });
    expect(refused.bodies[2]).toEqual({ saml_group_name: "Engineering", access_level: 30, provider: "okta" });
    const fields = await sent(replacement, [[204], [400, { message: { access_level: ["is bad"] } }], [201, link]]);
    expect([fields.why, fields.failure?.details.fields]).toEqual([
      "access_level: is bad; the old one was restored",
      undefined,
    ]);
  });

  test("or says that it could not be restored", async () => {
    const lost = await sent(replacement, [[204], [422, { message: "no" }], [403, { message: "never" }]]);
    expect(lost.why).toBe("no; the old one could not be restored: never");
  });

  test("a lost creation that was not made is sent again, once", async () => {
    expect(await sent(replacement, [[204], "lost", [201, made]], [])).toMatchObject({
      methods: "DELETE POST POST",
      answer: made,
    });
    const twice = await sent(replacement, [[204], "lost", "lost"], []);
    expect([twice.methods, twice.partly, twice.failure?.details.outcome]).toEqual([
      "DELETE POST POST",
      true,
      "unknown",
    ]);
  });

  test("one that was made is not, and one of which nothing can be seen neither", async () => {
    expect(await sent(replacement, [[204], "lost"], [made])).toMatchObject({
      methods: "DELETE POST",
      answer: undefined,
    });
    const unseen = await sent(replacement, [[204], "lost"], undefined);
    expect([unseen.methods, unseen.failure?.details.outcome]).toEqual(["DELETE POST", "unknown"]);
    const other = await sent(replacement, [[204], "lost"], [{ ...link, access_level: 10 }]);
    expect([other.methods, other.failure?.details.outcome]).toEqual(["DELETE POST", "unknown"]);
  });

  test("after a lost removal of what is gone, the creation follows; of what is still there, the removal is repeated", async () => {
    expect(await sent(replacement, ["lost", [201, made]], [])).toMatchObject({ methods: "DELETE POST", answer: made });
    expect(await sent(replacement, ["lost", [204], [201, made]], [link])).toMatchObject({
      methods: "DELETE DELETE POST",
    });
  });
});

describe("after a lost answer", () => {
  const update = changeOf(hooksKind, { name: "Deploys", description: "x" }, hook);
  const other = { ...hook, description: "other" };

  test("a PUT of what is desired is repeated, whatever it shows", async () => {
    expect(await sent(update, ["lost", [200, hook]], [other])).toMatchObject({ methods: "PUT PUT", answer: hook });
  });

  test("one that adds is not, if something changed", async () => {
    const rules = changeOf(
      environmentsKind,
      { name: "p", deploy_access_levels: [{ user_id: 4 }] },
      { name: "p", deploy_access_levels: [] },
    );
    const before = { name: "p", deploy_access_levels: [] };
    const after = { name: "p", deploy_access_levels: [{ id: 1, user_id: 6 }] };
    expect((await sent(rules, ["lost"], [after])).methods).toBe("PUT");
    expect(
      (
        await sent(
          rules,
          [
            [500, {}],
            [200, {}],
          ],
          [before],
        )
      ).methods,
    ).toBe("PUT PUT");
    expect((await sent(rules, ["lost", [200, {}]], [before])).methods).toBe("PUT");
  });

  test("a creation is repeated only if there is nothing, and nothing that the first one may still make", async () => {
    const creation = changeOf(hooksKind, { name: "Deploys", url: hook.url }, undefined);
    expect(
      (
        await sent(
          creation,
          [
            [500, {}],
            [201, hook],
          ],
          [],
        )
      ).methods,
    ).toBe("POST POST");
    expect((await sent(creation, ["lost", [201, hook]], [])).methods).toBe("POST");
    expect((await sent(creation, ["lost"], [{ ...hook, url: "https://b.example" }])).methods).toBe("POST");
  });
});

test("a failure after an earlier request of a change leaves it partly made", async () => {
  const headers = changeOf(
    hooksKind,
    { name: "Deploys", custom_headers: [] },
    { ...hook, custom_headers: [{ key: "a" }] },
  );
  expect(await sent(headers, [[204], [403, { message: "no" }]])).toMatchObject({
    methods: "DELETE PUT",
    partly: true,
    why: "no",
  });
  // An instance may lack the request that removes a header.
  expect(await sent(headers, [[404], [200, hook]])).toMatchObject({ methods: "DELETE PUT", answer: hook });
});

test("an error of the program itself is none of the change", async () => {
  const broken = {
    ...replacement,
    kind: { ...samlLinksKind, steps: () => [{ endpoint: undefined as never, input: {} }] },
  };
  const thrown = await sent(broken, []).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(Error);
  expect(thrown).not.toBeInstanceOf(Failure);
});
