import { describe, expect, test } from "vitest";
import { changes, endpoint, entityOf, pathNames } from "../../../src/api/endpoint.ts";
import * as field from "../../../src/api/field.ts";
import {
  array,
  code,
  eachSometimes,
  entity,
  id,
  map,
  nullable,
  object,
  oneOf,
  required,
  sometimes,
  string,
  uncut,
} from "../../../src/api/field.ts";
import { namingFlags } from "../../../src/api/flag-names.ts";
import {
  acceptedInstead,
  changesNeedAccessToken,
  jobTokenRefused,
  takesNoJobToken,
} from "../../../src/api/job-token.ts";
import { namedSecretTexts, secretTexts } from "../../../src/api/secret-texts.ts";
import { Failure, type FailureDetails } from "../../../src/base/errors.ts";

const thing = entity("Thing", { id: id() });
const plain = { summary: "Do it", params: {}, access: {} } as const;
const read = endpoint({ ...plain, route: "GET /things", returns: thing });
const write = endpoint({ ...plain, route: "POST /things", returns: { headers: thing } });

describe("an endpoint", () => {
  test("is of the API, in JSON, documented, and unpaged, unless it says otherwise", () => {
    const { encoding, base, page, cursor, once, beyond, dotless, numeric, directions, readBy, method, path } = read;
    expect({ encoding, base, page, cursor, once, beyond, dotless, numeric, directions, readBy, method, path }).toEqual({
      encoding: "json",
      base: "api",
      page: undefined,
      cursor: undefined,
      once: false,
      beyond: false,
      dotless: false,
      numeric: false,
      directions: undefined,
      readBy: undefined,
      method: "GET",
      path: "/things",
    });
    expect(endpoint({ ...plain, route: "GET /x", returns: "bytes", once: true, base: "registry" })).toMatchObject({
      once: true,
      base: "registry",
    });
  });

  test("has the names of its path in order", () => {
    expect(pathNames({ ...read, path: "/projects/:project/files/*file_path/raw" })).toEqual(["project", "file_path"]);
  });

  test("answers with an entity, in the body or in headers, or with none", () => {
    expect([entityOf(read), entityOf(write)]).toEqual([thing, thing]);
    expect(entityOf({ ...read, returns: "nothing" })).toBeUndefined();
  });

  test.each(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const)(
    "with %s: whether it changes anything",
    (method) => {
      expect(changes({ ...read, method })).toBe(method !== "GET" && method !== "HEAD");
    },
  );
});

test("a field is declared by the name of its kind", () => {
  const { string, integer, number, boolean, timestamp, date, id, bytes, seconds, share, json, map, file } = field;
  const kinds = { string, integer, number, boolean, timestamp, date, id, bytes, seconds, share, json, map, file };
  for (const [kind, made] of Object.entries(kinds)) expect(made()).toEqual({ kind, description: "", required: false });
  expect([field.outcome().description, field.code({}).description]).toEqual(["", ""]);
  expect(array(id(), "", { flag: "f" }).flag).toBe("f");
});

test("a field has its kind, and what is said of it", () => {
  expect(string()).toEqual({ kind: "string", description: "", required: false });
  expect(string("Name", { max: 3 })).toEqual({ kind: "string", description: "Name", required: false, max: 3 });
  expect(uncut()).toEqual({ kind: "string", description: "", required: false, whole: true });
  expect(uncut("Rule", { min: 1 })).toMatchObject({ description: "Rule", min: 1, whole: true });
  expect(oneOf(["a", "b"])).toEqual({ kind: "enum", description: "", required: false, values: ["a", "b"] });
  expect(oneOf(["a"], "", { flag: "f" }).flag).toBe("f");
  expect(code({ a: 1 }, "", { flag: "f" })).toEqual({
    kind: "code",
    description: "",
    required: false,
    values: ["a"],
    codes: { a: 1 },
    flag: "f",
  });
  expect(array(id())).toEqual({ kind: "array", description: "", required: false, item: id() });
  expect(object({ id: id() })).toEqual({ kind: "object", description: "", required: false, shape: { id: id() } });
  const name = required(string("Name", { max: 3 }));
  expect(name).toEqual({ ...string("Name", { max: 3 }), required: true });
  expect(nullable(name)).toEqual({ ...string("Name", { max: 3 }), nullable: true });
  expect(sometimes(name)).toEqual({ ...string("Name", { max: 3 }), sometimes: true });
  expect(eachSometimes({ name })).toEqual({ name: sometimes(name) });
  expect(entity("A", { name }, { card: ["name"] })).toEqual({ name: "A", shape: { name }, card: ["name"] });
  expect(thing).not.toHaveProperty("card");
});

describe("a refusal that names a parameter", () => {
  const params = {
    commit_message: string("", { flag: "message" }),
    start_branch: string("", { wire: "from", flag: "start" }),
    name: string(),
    at: string("", { flag: "at" }),
  };
  const refused = (details: FailureDetails) => new Failure("refused", "no", { status: 400, ...details });
  const hintOf = (details: FailureDetails) => (namingFlags(refused(details), params) as Failure).details.hint;

  test.each<[FailureDetails, string | undefined]>([
    [{ reason: "commit_message is missing" }, "commit_message is given with --message"],
    [{ reason: "from, commit_message are bad" }, "commit_message is given with --message; from is given with --start"],
    [{ fields: { from: ["is bad"] } }, "from is given with --start"],
    [{ reason: "name is bad" }, undefined],
    [{ reason: "at is bad" }, undefined],
    [{ reason: "my-from and from_x are bad" }, undefined],
    [{}, undefined],
    [{ reason: "from is bad", status: 409 }, undefined],
    [{ reason: "from is bad", hint: "do it again" }, "do it again"],
  ])("%j has the flag as hint: %s", (details, hint) => expect(hintOf(details)).toBe(hint));

  test("keeps what else it says, and what is no refusal stays as it is", () => {
    const named = namingFlags(refused({ reason: "from is bad", path: "/x" }), params) as Failure;
    expect(named).toMatchObject({ exit: "refused", message: "no", details: { path: "/x", status: 400 } });
    const bug = new Error("from");
    expect(namingFlags(bug, params)).toBe(bug);
    const other = refused({ reason: "x" });
    expect(namingFlags(other, params)).toBe(other);
  });
});

describe("a job token", () => {
  const taking = { ...write, access: { jobToken: true } };
  test("is taken where the endpoint says so, and not asked for elsewhere", () => {
    expect([read, taking, { ...read, base: "registry" as const }].map(takesNoJobToken)).toEqual([true, false, false]);
  });

  test.each([
    [[write], true],
    [[write, taking], false],
    [[read, write], true],
    [[read], false],
    [[], false],
  ])("%#: no change of these can be made with one: %s", (requests, refused) => {
    expect(changesNeedAccessToken(requests)).toBe(refused);
  });

  test("is refused before anything is sent", () => {
    const { exit, message, details } = jobTokenRefused("Delete a thing", undefined);
    expect([exit, message]).toEqual(["unauthenticated", "could not delete a thing"]);
    expect(details).toMatchObject({ code: "job_token_refused", nothing: "sent", hint: acceptedInstead });
    expect(details.reason).toContain("(CI_JOB_TOKEN)");
    expect(jobTokenRefused("Delete", "FORGECTL_TOKEN").details.reason).toContain("(FORGECTL_TOKEN)");
  });
});

describe("texts that are secret", () => {
  const secret = string("", { secret: true });
  test.each<[string, Parameters<typeof secretTexts>[0], unknown, string[]]>([
    ["of a field", { key: secret, name: string() }, { key: "a", name: "b" }, ["a"]],
    ["of each row", { key: secret }, [{ key: "a" }, { key: "b" }, {}], ["a", "b"]],
    ["of a list of them", { keys: array(secret) }, { keys: ["a", "b"] }, ["a", "b"]],
    ["at any depth", { owner: object({ key: secret }) }, { owner: { key: "a", id: "b" } }, ["a"]],
    ["in items", { owners: array(object({ key: secret })) }, { owners: [{ key: "a" }] }, ["a"]],
    ["inside a value", { all: map("", { secret: true }) }, { all: { x: "a", y: ["b", 7, null] } }, ["a", "b"]],
    ["of no field", { name: string(), owner: object({ id: id() }), ids: array(id()) }, { name: "a", token: "b" }, []],
  ])("%s", (_, fields, values, texts) => expect(secretTexts(fields, values)).toEqual(texts));

  test("by name, where nothing is declared", () => {
    expect(namedSecretTexts({ token: "a", list: [{ password: { value: "b" } }], name: "c" })).toEqual(["a", "b"]);
  });
});
