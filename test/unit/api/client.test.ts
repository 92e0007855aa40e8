import { describe, expect, test } from "vitest";
import { DryRunStop, type ObservedAnswer } from "../../../src/api/api.ts";
import { array, entity, id, integer, object, required, string } from "../../../src/api/field.ts";
import { MovedPlaces } from "../../../src/api/moved-places.ts";
import type { WireRequest } from "../../../src/api/transport/message.ts";
import { Failure } from "../../../src/base/errors.ts";
import {
  base,
  clientOf,
  content,
  failure,
  type Given,
  get,
  json,
  lines,
  one,
  params,
  remove,
  silent,
  Thing,
  update,
} from "./support/client.ts";

describe("a call", () => {
  test("returns the typed answer, whose secrets are secret from then on, as are those that were sent", async () => {
    const { api, redactor, sent } = clientOf(() => ({ text: '{"id":7,"key":"s3cret-a"}' }));
    expect(await api.call(update, { ...one, key: "s3cret-a" })).toEqual({ id: 7, key: "s3cret-a" });
    expect(redactor.text("x s3cret-a")).toBe("x [redacted]");
    expect(sent[0]).toMatchObject({ whole: true, once: false });
    expect(api.made).toEqual(["PUT /api/v4/things/7"]);
    const reading = clientOf(() => ({ text: '{"id":7,"key":"s3cret-b"}' }));
    await reading.api.call(get, one);
    expect(reading.redactor.text("x s3cret-b")).toBe("x [redacted]");
    expect(reading.api.made).toEqual([]);
    const refused = clientOf(() => ({ status: 400 }));
    await failure(refused.api.call(update, { ...one, key: "s3cret-c" }));
    expect(refused.redactor.text("x s3cret-c")).toBe("x [redacted]");
  });

  test("of an undocumented request says that an instance may lack it", async () => {
    const { details } = await failure(clientOf(() => ({ status: 404 })).api.call({ ...get, beyond: true }, one));
    expect(details.hint).toContain("an instance may lack this undocumented request");
    const documented = await failure(clientOf(() => ({ status: 404 })).api.call(get, one));
    expect(documented.details.hint).toBeUndefined();
  });

  test("fails with what the instance says, and what was asked", async () => {
    const { api } = clientOf(() => ({
      status: 500,
      text: '{"message":"No."}',
      headers: { "x-request-id": "01H" },
      repeated: true,
      refusedBefore: true,
    }));
    const { details, message } = await failure(api.call(update, { ...one, name: "a" }));
    expect(message).toBe("could not update it");
    expect(details).toMatchObject({ method: "PUT", path: "/api/v4/things/7", status: 500, requestId: "01H" });
    expect(details).toMatchObject({ outcome: "unknown", retryable: false });
    expect(api.made).toEqual([]);
  });

  test.each([
    [503, {}, true],
    [503, { once: true }, undefined],
  ] as const)("that adds is not repeatable, whatever its method: %i %j", async (status, more, retryable) => {
    const { api } = clientOf(() => ({ status }));
    const { details } = await failure(api.call({ ...update, ...more }, one));
    expect(details.retryable).toBe(retryable ?? false);
  });

  test("of a list of objects is one, of JSON anything, of headers those", async () => {
    const rows = { ...get, page: "offset" } as const;
    expect(await clientOf(() => ({ text: '[{"id":1}]' })).api.call(rows, one)).toEqual([{ id: 1 }]);
    const free = { ...get, returns: "json" } as const;
    const any = clientOf(() => ({ text: "[1]" }));
    expect(await any.api.call(free, one)).toEqual([1]);
    expect(any.sent[0]?.whole).toBe(true);
    expect(await clientOf(() => ({ text: "" })).api.call(free, one)).toBeUndefined();
    const head = { ...get, method: "HEAD", returns: { headers: Thing } } as const;
    const client = clientOf(() => ({ headers: { "x-service-id": "7" } }));
    expect(await client.api.call(head, one)).toEqual({ id: 7 });
    expect([client.discarded(), client.sent[0]?.whole]).toEqual([1, false]);
  });

  test.each<[string, typeof get, Given, RegExp]>([
    ["a list for an object", get, { text: "[]" }, /expected an object/],
    ["an object for a list", { ...get, page: "offset" }, { text: "{}" }, /expected a list of objects/],
    ["a list of others", { ...get, page: "offset" }, { text: '[{"id":1},7]' }, /expected a list of objects/],
    ["no JSON", get, { text: '{"id":' }, /not complete, valid JSON/],
    ["costly JSON", get, { text: "[".repeat(201) + "]".repeat(201) }, /too costly to read/],
    ["a row without its ID", get, { text: '{"name":"a"}' }, /in a Thing of the answer, id is missing/],
    ["a row of another form", get, { text: '{"id":1,"name":[]}' }, /name is not a single value/],
    ["a page", get, { text: "<html>" }, /with a web page/],
    ["no such headers", { ...get, returns: { headers: Thing } } as never, {}, /lacks the expected headers/],
    [
      "headers without the ID",
      { ...get, returns: { headers: Thing } } as never,
      { headers: { "x-a-name": "a" } },
      /id is/,
    ],
  ])("is not answered with %s", async (_, of, given, reason) => {
    const { exit, code, details } = await failure(clientOf(() => given).api.call(of, one));
    expect([exit, code]).toEqual(["refused", "unexpected_answer"]);
    expect(details.reason).toMatch(reason);
  });

  test("whose flag has another name says so", async () => {
    const flagged = { ...update, params: { ...params, name: string("", { flag: "title" }) } };
    const { api } = clientOf(() => ({ status: 400, text: '{"error":"name is invalid"}' }));
    expect((await failure(api.call(flagged, one))).details.hint).toBe("name is given with --title");
  });
});

describe("a change", () => {
  test("whose answer shows another value fails; the caller can leave it unchecked", async () => {
    const { api } = clientOf(() => ({ text: '{"id":7,"name":"b"}' }));
    expect(await failure(api.call(update, { ...one, name: "a" }))).toMatchObject({ code: "altered" });
    expect(await api.call(update, { ...one, name: "a" }, { unchecked: true })).toEqual({ id: 7, name: "b" });
    expect((await failure(api.call(update, { ...one, name: "a" }, { before: { name: "b" } }))).code).toBe("not_taken");
  });

  test("whose answer does not show what was sent is believed, if it cannot be read", async () => {
    expect(await clientOf(() => ({ text: '{"id":7}' })).api.call(update, { ...one, name: "a" })).toEqual({ id: 7 });
  });

  test("without an answer is read once, where it is by then, if that can tell anything", async () => {
    const answer = ({ method }: WireRequest) => (method === "GET" ? { text: '{"id":9,"name":"a"}' } : { text: "" });
    const { api, sent } = clientOf(answer);
    expect(await api.call(silent, { ...one, new_id: 9, name: "a" })).toEqual({ id: 9, name: "a" });
    expect(lines(sent)).toEqual(["POST /things/7", "GET /things/9?name=a"]);
    expect(await api.call(silent, { ...one, key: "s3cret" })).toBeUndefined();
    expect(sent).toHaveLength(3);
    expect(await failure(api.call(silent, { ...one, new_id: 9, name: "b" }))).toMatchObject({ code: "altered" });
  });

  test.each<[string, typeof remove, Given, string, number]>([
    ["a broken answer", update as never, { text: "{" }, "made", 1],
    ["a page", remove, { headers: { "content-type": "text/html" }, text: "<html>" }, "unknown", 0],
    ["a list", remove, { text: "[1]" }, "unknown", 0],
    ["an error", remove, { text: '{"error":"x"}' }, "unknown", 0],
    ["no JSON", remove, { text: "OK" }, "unknown", 0],
    ["an object", remove, { text: '{"id":1}' }, "unknown", 0],
  ])("with %s", async (_, of, given, outcome, made) => {
    const { api } = clientOf(() => given);
    const { details } = await failure(api.call(of, one));
    expect([details.outcome, details.retryable, api.made.length]).toEqual([outcome, false, made]);
  });

  test.each(["", '{"message":"202 Accepted"}', '"202"'])("without content may be answered with %j", async (text) => {
    const { api } = clientOf(() => ({ text, headers: { "content-type": "application/json" } }));
    expect(await api.call(remove, one)).toBeUndefined();
    expect(api.made).toEqual(["DELETE /api/v4/things/7"]);
  });

  test.each([
    ["made", "the change was made, but its answer could not be read", 1],
    ["unknown", "cut", 0],
  ] as const)("whose answer broke is %s", async (outcome, message, made) => {
    const { api } = clientOf(() => new Failure("network", "cut", { outcome }));
    const broken = await failure(api.call(update, one));
    expect([broken.message, api.made.length]).toEqual([message, made]);
  });

  test("of a dry run is only recorded", async () => {
    const { api, sent } = clientOf(() => ({ text: '{"id":7}' }), { dryRun: true });
    await expect(api.call(update, { ...one, name: "a" })).rejects.toThrow(DryRunStop);
    await api.call(get, one);
    await expect(api.planDownload(content, {}, { file: "a.bin", headers: { "x-a": "1" } })).rejects.toThrow(DryRunStop);
    expect(api.planned).toEqual([
      { method: "PUT", url: `${base}/api/v4/things/7`, body: { name: "a" } },
      { method: "GET", url: `${base}/api/v4/raw`, body: null, headers: { "x-a": "1" }, file: "a.bin" },
    ]);
    expect(lines(sent)).toEqual(["GET /things/7"]);
  });

  test("by a path that has moved is refused before it is sent", async () => {
    const moved = new MovedPlaces();
    const of = { ...update, path: "/projects/:thing_id" } as typeof update;
    const read = { ...get, path: "/projects/:thing_id" } as typeof get;
    const { api, sent } = clientOf(() => ({ text: '{"id":7,"path_with_namespace":"b/c"}' }), { moved });
    await api.call(read, { thing_id: "a/c" as never });
    expect((await failure(api.call(of, { thing_id: "a/c" as never }))).code).toBe("moved");
    const other = clientOf(() => ({ url: `${base}/api/v4/projects/8`, text: '{"id":7}' }));
    await other.api.call(read, { thing_id: "d/e" as never });
    expect((await failure(other.api.call(of, { thing_id: "d/e" as never }))).code).toBe("moved");
    expect(sent).toHaveLength(1);
    const lost = clientOf(({ method }) =>
      method === "GET" ? { status: 404, url: `${base}/api/v4/projects/8` } : { text: '{"id":7}' },
    );
    await failure(lost.api.call(read, { thing_id: "d/e" as never }));
    expect(await lost.api.call(of, { thing_id: "d/e" as never })).toEqual({ id: 7 });
  });
});

describe("a job token", () => {
  const job = { credential: async () => ({ token: "t0ken-of-job", kind: "job", source: "CI_JOB_TOKEN" }) };
  test("is not sent with a change that takes none; a read is marked as public", async () => {
    const { api, sent, warnings } = clientOf(() => ({ text: '{"id":7}' }), job);
    expect((await failure(api.call(update, one))).code).toBe("job_token_refused");
    expect(sent).toEqual([]);
    await api.call(get, one);
    expect(warnings).toEqual([expect.stringContaining('"Get a thing" was answered as without one')]);
  });

  test("is sent where it is taken, without a warning", async () => {
    const { api, warnings } = clientOf(() => ({ text: '{"id":7}' }), job);
    await api.call({ ...update, access: { jobToken: true } }, one);
    await api.call({ ...get, access: { jobToken: true } }, one);
    expect([api.made.length, warnings]).toEqual([1, []]);
    const refused = clientOf(() => ({ status: 404 }), job);
    await failure(refused.api.call(get, one));
    expect(refused.warnings).toEqual([]);
  });
});

test("a fork has a record of its own, the same addresses, and its observer sees every answer", async () => {
  const seen: ObservedAnswer[] = [];
  const { api } = clientOf(() => ({ text: '{"id":7}', headers: { ...json, "x-request-id": "01H" } }));
  const forked = api.fork({ observe: (answer) => seen.push(answer) });
  await forked.call(update, one);
  await api.fork().call(get, one);
  expect([forked.made.length, api.made.length]).toEqual([1, 0]);
  expect(seen).toEqual([{ method: "PUT", path: "/api/v4/things/7", status: 200, requestId: "01H" }]);
  expect((await api.probe()).peer).toBe(base);
});

test("an entity's fields may hold others", async () => {
  const Nested = entity("Nested", { id: required(id()), owner: object({ keys: array(integer()) }) });
  const { api } = clientOf(() => ({ text: '{"id":1,"owner":{"keys":[[1]]}}' }));
  const nested = { ...get, returns: Nested };
  expect((await failure(api.call(nested, one))).details.reason).toContain("owner.keys.0 is not a single value");
});
