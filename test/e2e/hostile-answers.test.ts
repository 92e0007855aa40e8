import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { type Answer, json, signedIn } from "../support/answering.ts";
import { session } from "../support/session.ts";

/** Servers whose answers the platform would never send: by mistake, or malicious. */

const signInPage: Answer = (_request, response) =>
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<!doctype html><title>Sign in</title>");

const deep = (open: string, close: string) => open.repeat(20_000) + 1 + close.repeat(20_000);

test("a sign-in page with status 200 is not a success", async () => {
  const there = await signedIn(signInPage);
  const page = "the server answered with a web page";
  for (const line of [
    ["envs", "unprotect", "production", "-p", "7", "--yes"],
    ["job-token", "groups", "remove", "4", "-p", "7", "--yes"],
    ["notes", "delete", "300001", "--issue", "28", "-p", "7", "--yes"],
    ["files", "stat", "README.md", "-p", "7", "--ref", "main"],
  ]) {
    const { code, stdout, stderr } = await there.run(...line);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(page);
  }
});

test("a web page is not saved as an archive", async () => {
  const there = await signedIn(signInPage);
  for (const line of ["artifacts download -p 7 --job-id 1000", "relations download issues -p 7"]) {
    const { code, stdout, stderr } = await there.run(...line.split(" "));
    expect([code, stdout]).toEqual([12, ""]);
    expect(stderr).toContain("the server answered with a web page in place of the file");
  }
  expect(readdirSync(there.home)).toEqual([]);
});

test.each([
  [
    "an invalid address",
    '<http://[bad>; rel="next"',
    /the address of the next page is not valid|continues on another origin: "http:..\[bad" is not a valid address/,
  ],
  [
    "another instance",
    '<https://elsewhere.example/api/v4/users?cursor=a>; rel="next"',
    /^error: the list continues on another origin: "https:\S+" is not an address of http/,
  ],
])("a list that continues at %s", async (_name, link, reason) => {
  const there = await signedIn(json(200, '[{"id":1,"username":"u"}]', { link }));
  for (const line of [
    ["users", "list", "-L", "all"],
    ["api", "users", "--paginate"],
  ]) {
    const { code, stderr } = await there.run(...line);
    expect(code).toBe(1);
    expect(stderr).toMatch(reason);
  }
  expect(there.seen.length).toBeLessThan(8);
});

test("a list whose next page is always the first", async () => {
  const there = await signedIn(json(200, '[{"id":1,"username":"u"}]', { "x-next-page": "1" }));
  const { code, stderr } = await there.run("users", "list", "-L", "all");
  expect([code, stderr]).toEqual([1, "error: the list does not end: its pages form a cycle\n"]);
});

test.each([
  ["nested rows", 200, `[{"id":1,"x":${deep("[", "]")}}]`],
  ["nested field errors", 400, `{"message":${deep('{"a":', "}")}}`],
  ["a nested list of messages", 400, `{"message":[${deep("[", "]")}]}`],
  ["messages that cannot be read as text", 400, '{"message":[{"toString":1}]}'],
  ["field errors that cannot be read as text", 400, '{"message":{"a":[{"toString":1,"valueOf":2}]}}'],
  ["an impossible challenge", 400, '{"needs_captcha_response":true,"captcha_site_key":{"toString":1}}'],
])("%s are an error, not a bug", async (_name, status, text) => {
  const there = await signedIn(json(status, text));
  expect((await there.run("users", "list")).code).toBe(1);
  expect((await there.run("api", "users")).code).toBe(1);
});

test("field errors with the names of built-in object properties", async () => {
  const there = await signedIn(json(400, '{"message":{"__proto__":["is bad"],"toString":["is worse"]}}'));
  const { stderr } = await there.run("users", "list");
  expect(stderr).toContain("field: __proto__: is bad\nfield: toString: is worse\n");
});

test("the token is sent only below the base URL", async () => {
  const there = await signedIn(json(200, "{}"));
  for (const path of ["../../../other/users", "a/../../../../other", "%2e%2e/%2e%2e/%2e%2e/other"]) {
    const { code, stderr } = await there.run("api", path);
    expect(code).toBe(2);
    expect(stderr).toContain("would be read as another one");
  }
  expect(there.seen).toEqual([]);
});

test("api does not accept a token as an argument, and does not repeat it", async () => {
  const there = await signedIn(json(200, "{}"));
  for (const line of [
    ["users?private_token=glitter-secret"],
    ["users", "-X", "GET", "-f", "private_token=glitter-secret"],
    ["users", "-F", "access_token=glitter-secret"],
    ["users", "-H", "PRIVATE-TOKEN=glitter-secret"],
  ]) {
    const { code, stderr } = await there.run("api", ...line);
    expect(code).toBe(2);
    expect(stderr).not.toContain("glitter-secret");
  }
  expect(there.seen).toEqual([]);
});

test("names of built-in properties are ordinary words", async () => {
  const there = session();
  for (const word of ["toString", "__proto__", "constructor"]) {
    for (const line of [["help", word], [word], [word, "users"], ["users", word], ["users", "list", `--${word}`]]) {
      const { code, stderr } = await there.run(...line);
      expect([code, stderr], line.join(" ")).toEqual([2, expect.stringContaining(word)]);
    }
    expect((await there.run("settings", "set", `${word}=1`, "--strict")).code).toBe(2);
    expect((await there.run("settings", "explain", word)).code).toBe(3);
  }
});

test.each([
  ["a list of empty lists", `[${"[],".repeat(4_000_000)}0]`],
  ["nothing but brackets", "[".repeat(20_000_000)],
  ["small objects", `[${'{"a":0},'.repeat(2_000_000)}{}]`],
])("an answer that would fill the memory is refused before it is built: %s", async (_name, text) => {
  const there = await signedIn(json(200, text));
  // As values, they would need more than this; the program itself needs less.
  const env = { NODE_OPTIONS: "--max-old-space-size=64" };
  for (const [line, asProcess] of [
    ["users list", true],
    ["users get 1", false],
    ["api users", false],
  ] as const) {
    const { code, stdout, stderr } = await there.run(...line.split(" "), asProcess ? { env, asProcess } : {});
    expect([line, code, stdout]).toEqual([line, 1, ""]);
    expect(stderr).toMatch(/it has too many values|it is nested too deeply/);
  }
});
