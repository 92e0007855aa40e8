import { describe, expect, test } from "vitest";
import { type AnyEndpoint, type Endpoint, endpoint } from "../../../src/api/endpoint.ts";
import { entity, id, required, string } from "../../../src/api/field.ts";
import { Failure, type FailureDetails } from "../../../src/base/errors.ts";
import { callVerified } from "../../../src/verbs/checked-call.ts";
import { deletedOrVerified, madeOrVerified, shownBy } from "../../../src/verbs/lost-answer-check.ts";
import { collected } from "../../../src/verbs/row-collection.ts";
import { contextFor } from "../../support/context.ts";
import { scriptedInstance } from "../../support/scripted-instance.ts";

const lost = (exit: "network" | "interrupted" | "refused" = "network", more: FailureDetails = {}) =>
  new Failure(exit, "no answer", { outcome: "unknown", hint: "check", outcomeText: "may be", method: "PUT", ...more });
const throwing = (error: unknown) => () => Promise.reject(error);

/** The error, if any, and the notices of a change whose check finds this. */
async function checked(error: unknown, isMade: () => Promise<boolean | undefined>) {
  const context = contextFor("http://127.0.0.1:1");
  const verifier = { ...context.api };
  Object.assign(context, { verifier });
  let used: unknown;
  const check = (api: unknown) => {
    used = api === verifier ? "despite Ctrl-C" : "as usual";
    return isMade();
  };
  const thrown = await madeOrVerified(context, throwing(error), check).catch((reason: unknown) => reason);
  return { thrown, notices: context.notices, used };
}

describe("a change whose answer was lost", () => {
  test.each([
    [lost(), "as usual", "the answer was lost"],
    [lost("interrupted"), "despite Ctrl-C", "interrupted"],
    [lost("refused", { status: 200 }), "as usual", "the answer is not the instance's"],
    [lost("refused", { status: 299 }), "as usual", "the answer is not the instance's"],
    [lost("refused", { status: 199 }), "as usual", "the answer was lost"],
    [lost("refused", { status: 300 }), "as usual", "the answer was lost"],
  ])("and was made is a success with a notice (%#)", async (error, used, why) => {
    expect(await checked(error, async () => true)).toEqual({
      thrown: undefined,
      notices: [`${why}; a check shows that the change was made`],
      used,
    });
  });

  test("and was made counts among the changes that the instance has accepted, once", async () => {
    const context = contextFor("http://127.0.0.1:1");
    for (const made of [true, false, true]) {
      const error = lost("network", { path: "/api/v4/x", status: 500 });
      await madeOrVerified(context, throwing(error), async () => made).catch(() => undefined);
    }
    expect(context.api.made).toEqual(["PUT /api/v4/x"]);
  });

  test.each<FailureDetails>([{ status: 500 }, { answered: true }])("and was not made can be repeated", async (more) => {
    const { thrown, notices } = await checked(lost("network", more), async () => false);
    expect(thrown).toMatchObject({ exit: "network", message: "no answer" });
    expect((thrown as Failure).details).toEqual({
      ...more,
      method: "PUT",
      reason: "the answer was lost",
      outcomeText: "a check shows that the change was not made",
      hint: "run the command again",
      outcome: "none",
      retryable: true,
    });
    expect(notices).toEqual([]);
  });

  test.each([
    [lost(), "the answer was lost"],
    [lost("interrupted"), "interrupted"],
    [lost("refused", { status: 504 }), "the answer was lost"],
    [lost("refused", { status: 502 }), "the answer was lost"],
  ])("stays unknown if the instance may still be making it (%#)", async (error, reason) => {
    const { thrown, notices } = await checked(error, async () => false);
    expect((thrown as Failure).details).toEqual({
      ...error.details,
      reason,
      outcomeText: "a check does not show the change, but the instance may still be making it",
    });
    expect(notices).toEqual([]);
  });

  test("stays unknown if the check does not tell, or fails", async () => {
    const error = lost();
    expect((await checked(error, async () => undefined)).thrown).toBe(error);
    expect((await checked(error, throwing(new Error("x")))).thrown).toBe(error);
  });

  test("is checked only then", async () => {
    const error = new Failure("refused", "no", { status: 400 });
    expect(await checked(error, async () => true)).toEqual({ thrown: error, notices: [], used: undefined });
  });
});

describe("a deletion whose answer was lost", () => {
  const gone = new Failure("notFound", "404", { status: 404 });
  const deleted = async (show: () => Promise<unknown>) => {
    const context = contextFor("http://127.0.0.1:1");
    const broken = lost("network", { answered: true });
    const thrown = await deletedOrVerified(context, throwing(broken), show, "tag v1").catch((error: unknown) => error);
    return thrown instanceof Failure ? thrown.details.outcome : context.notices;
  };

  test.each([
    ["404", throwing(gone)],
    ["no row", async () => undefined],
  ])("is a success if what shows it has %s", async (_, show) => {
    expect(await deleted(show)).toEqual(["the answer was lost; a check shows that tag v1 is gone"]);
  });

  test("was not made if it is shown, and is unknown if that cannot be found out", async () => {
    expect(await deleted(async () => ({ name: "v1" }))).toBe("none");
    expect(await deleted(throwing(new Failure("refused", "no", { status: 503 })))).toBe("unknown");
  });
});

const thing = entity("Thing", { id: required(id()), name: string(), color: string() });
const declared = { summary: "Do it", access: {}, returns: thing } as const;
const params = { box: id(), name: string(), color: string() };
const put = endpoint({ ...declared, route: "PUT /boxes/:box", params }) as Endpoint<object>;
const one = endpoint({ ...declared, route: "GET /boxes/:box", params: { box: id() } });
const list = endpoint({ ...declared, route: "GET /boxes", params: {}, page: "offset" });

test("what an endpoint shows is one object, or the rows of a list with all values", async () => {
  const rows = [
    { id: 1, name: "a", color: "red" },
    { id: 2, name: "a", color: "blue" },
  ];
  const { context } = await scriptedInstance(({ path }) => [200, path === "/boxes" ? rows : rows[0]]);
  const shown = (shows: AnyEndpoint, values: object) =>
    collected(shownBy(context.api, shows, { box: 1 }, { ...values })) as Promise<{ id: number }[]>;
  expect(await shown(one, { name: "other" })).toEqual([rows[0]]);
  expect(await shown(list, { name: "a", color: "blue" })).toEqual([rows[1]]);
  expect(await shown(list, { name: "a" })).toHaveLength(2);
  expect(await shown(list, {})).toHaveLength(2);
  expect(await shown(list, { id: "2" })).toEqual([rows[1]]);
});

describe("a call whose answer is lost", () => {
  /** The answer, or the outcome of the error, of a change after which the instance has this box; `had` is before. */
  async function called(
    shows: AnyEndpoint,
    has: object | undefined,
    values: object = { name: "a" },
    had: object[] | "refused" = [],
  ) {
    let isSent = false;
    const { context } = await scriptedInstance(({ method, path }) => {
      if (method !== "GET") isSent = true;
      if (method !== "GET") return [500, {}];
      if (path === "/boxes" && !isSent) return had === "refused" ? [403, {}] : [200, had];
      if (path === "/boxes") return [200, has === undefined ? [] : [has]];
      return has === undefined ? [404, {}] : [200, has];
    });
    const answer = callVerified(context, put, { box: 1, ...values }, { shows, id: 1 });
    return answer.catch((error: unknown) => (error as Failure).details.outcome);
  }

  test("has the object as its result if that has every value that was sent", async () => {
    const box = { id: 1, name: "a", color: "red" };
    expect(await called(one, box)).toEqual(box);
    expect(await called(one, box, { name: "a", color: undefined })).toEqual(box);
    expect(await called(one, box, { name: "a", color: "blue" })).toBe("none");
    expect(await called(one, undefined)).toBe("unknown");
  });

  test("has the values sent as its result if a list, which may not show them, has the object", async () => {
    expect(await called(list, { id: 1, name: "b" })).toEqual({ box: 1, name: "a" });
    expect(await called(list, { id: 2, name: "a" })).toBe("none");
    expect(await called(list, undefined)).toBe("none");
  });

  test("is unknown if the list had the object before, or could not be read", async () => {
    const box = { id: 1, name: "b" };
    expect(await called(list, box, {}, [box])).toBe("unknown");
    expect(await called(list, box, {}, "refused")).toBe("unknown");
    expect(await called(list, box, {}, [{ id: 2, name: "b" }])).toEqual({ box: 1 });
  });

  test("is made once, and its answer is the result if there is one", async () => {
    const { context, log } = await scriptedInstance(() => [200, { id: 1, name: "a", color: "red" }]);
    const answer = await callVerified(context, put, { box: 1, name: "a" }, { shows: one, id: 1 });
    expect(answer).toEqual({ id: 1, name: "a", color: "red" });
    expect(log()).toEqual(["PUT /boxes/1"]);
  });
});
