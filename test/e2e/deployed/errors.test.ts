import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession } from "../../support/altering-proxy.ts";
import { sandboxSession } from "../../support/session.ts";

type Key = Record<string, unknown>;

const isKeys = (path: string) => path.includes("/error_tracking/client_keys");

/** Rewrites every key in the answers, as a different instance would return it. */
function keysAs(change: (key: Key) => Key) {
  return alteringSession(({ path, body }) => {
    if (!isKeys(path)) return undefined;
    if (Array.isArray(body)) return { body: body.map(change) };
    return typeof body === "object" ? { body: change(body as Key) } : undefined;
  });
}

const renamed = ({ tracker_dsn, ...key }: Key): Key => ({ ...key, sentry_dsn: tracker_dsn });

test("client-key-dsn: a DSN under the instances' name is shown, masked, and written like any other", async () => {
  const { run, home, direct } = await keysAs(renamed);
  const key = (await direct.run(..."errors keys list -p 7 --jq .[0].public_key".split(" "))).stdout.trim();
  const dsn = `http://${key}@127.0.0.1:`;
  for (const format of ["tsv", "json"]) {
    const listed = await run("errors", "keys", "list", "-p", "7", "-o", format, "--debug");
    expect([listed.code, listed.stdout, listed.stderr]).toEqual([
      0,
      expect.stringContaining("[redacted]"),
      expect.not.stringContaining(dsn),
    ]);
    expect(listed.stdout).not.toContain("/collector/7");
    expect((await run("errors", "keys", "list", "-p", "7", "-o", format, "--reveal")).stdout).toContain(dsn);
  }
  expect((await run(..."errors keys create -p 7".split(" "))).stdout).toMatch(/\t\[redacted\]\n$/);
  const created = await run(..."errors keys create -p 7 --reveal --jq .tracker_dsn".split(" "));
  expect(created.stdout).toMatch(/^http:\/\/et_[0-9a-f]{32}@/);

  const rotated = await run(
    ..."errors keys rotate 1 -p 7 --dsn-file dsn.txt --yes --check".split(" "),
    "cat > seen.txt; grep -q @ seen.txt",
  );
  expect([rotated.code, rotated.stdout]).toEqual([0, expect.stringContaining("\t[redacted]\t1\n")]);
  expect(readFileSync(join(home, "dsn.txt"), "utf8")).toMatch(/^http:\/\/et_[0-9a-f]{32}@127\.0\.0\.1:\d+\/.*\n$/);
  expect(readFileSync(join(home, "seen.txt"), "utf8")).toBe(readFileSync(join(home, "dsn.txt"), "utf8"));
});

const both = "error tracking keys 1 (old) and 3 (new) both work";
const inactive = "error tracking key 1 (old) works, and 3 (new) does not";

test.each<[string, (key: Key) => Key, string, string?]>([
  ["no DSN", ({ tracker_dsn, ...key }) => key, "the answer contains no DSN: no field that ends in _dsn has a value"],
  ["null", (key) => ({ ...key, tracker_dsn: null }), "the answer contains no DSN"],
  [
    "a DSN that is not an address",
    (key) => ({ ...key, tracker_dsn: "undefined" }),
    "its DSN is not an http or https address",
  ],
  [
    "a DSN without a key",
    (key) => ({ ...key, tracker_dsn: "https://errors.example/7" }),
    "its DSN contains no key before the @",
  ],
  ["two lines", (key) => ({ ...key, tracker_dsn: "https://k@errors.example/7\nx" }), "is not an http or https address"],
  ["a key that is off", (key) => ({ ...key, active: key.id === 1 }), "the new key is not active", inactive],
])("%s: both keys stay, nothing is written, and no check is run", async (_, change, reason, state = both) => {
  const { run, home, seen, direct } = await keysAs(change);
  const { code, stdout, stderr } = await run(
    ..."errors keys rotate 1 -p 7 --dsn-file dsn.txt --yes --check".split(" "),
    "touch checked.txt",
  );
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(`the rotation is not finished: ${state}\ncause: `);
  expect(stderr).toContain(reason);
  expect(seen.filter((line) => line.startsWith("DELETE"))).toEqual([]);
  for (const name of ["dsn.txt", "checked.txt"]) expect(() => statSync(join(home, name))).toThrow("ENOENT");
  expect((await direct.run(..."errors keys list -p 7 --jq [.[].id]".split(" "))).stdout).toContain("1");
});

test.each([
  [undefined, "in a ClientKey of the answer, id is missing"],
  ["17", "the answer contains no ID"],
  [1, "the answer contains the ID of the old key, 1"],
])("a create answer whose ID is %s deletes nothing", async (id, reason) => {
  const { run, seen } = await alteringSession(({ method, path, body }) =>
    method === "POST" && isKeys(path) ? { body: { ...(body as Key), id } } : undefined,
  );
  const { code, stderr } = await run(..."errors keys rotate 1 -p 7 --reveal --yes".split(" "));
  expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
  expect(stderr).toContain("error tracking key 1 works, and a new one may exist");
  expect(seen.filter((line) => line.startsWith("DELETE"))).toEqual([]);
});

test("client-key-dsn: a real instance returns it as sentry_dsn", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const keys = (line: string) => run(...`errors keys ${line} -p 7`.split(" "));
  expect((await keys("list --fields tracker_dsn --no-header")).stdout).toMatch(/^\[redacted\]\n/);
  expect((await keys("list --reveal --jq .[0].tracker_dsn")).stdout).toMatch(/^http:\/\/et_[0-9a-f]{32}@127\.0\.0\.1:/);
  expect((await keys("rotate 1 --reveal --yes --jq .tracker_dsn")).stdout).toMatch(/^http:\/\/et_[0-9a-f]{32}@/);
});

test("deleted-object-shown: the key in the answer to its deletion is no foreign object, but that of another key is", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const rotate = "errors keys rotate 1 -p 7 --reveal --yes --jq .replaces";
  expect(await run(...rotate.split(" "))).toMatchObject({
    code: 0,
    stdout: "1\n",
    stderr: expect.not.stringContaining("check shows"),
  });
  const other = await alteringSession(({ method }) =>
    method === "DELETE" ? { status: 200, body: { id: 99, active: true } } : undefined,
  );
  const { code, stderr } = await other.run(...rotate.split(" "));
  expect([code, stderr]).toEqual([0, expect.stringContaining("error tracking key 1 is deleted")]);
  const deleted = await other.run(..."errors keys delete 2 -p 7 --yes".split(" "));
  expect([deleted.code, deleted.stderr]).toEqual([
    0,
    expect.stringContaining("the answer is not the instance's; a check"),
  ]);
});

test("error-settings-refusal: a refusal with status 200 is a failure", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  for (const line of ["settings set -p 7 --active true --integrated false", "enable -p 7 --integrated false"]) {
    const { code, stdout, stderr } = await run("errors", ...line.split(" "));
    expect([line, code, stdout, stderr]).toEqual([line, 1, "", expect.stringContaining("api url is a required field")]);
  }
  expect((await run(..."errors settings get -p 7 --jq .integrated".split(" "))).stdout).toBe("true\n");
});

test("integrated-tracking-off: an instance with it off answers 404, and the error says that it is off", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const { code, stderr } = await run(..."errors settings set -p 6 --active true --integrated true".split(" "));
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining("integrated error tracking is turned off on this instance"),
  ]);
});

test("error-settings-refusal: a refusal with status 200 is a failure with its message", async () => {
  const message = "Tracker DSN is invalid";
  const { run } = await alteringSession(({ method, path }) => {
    if (!path.includes("/error_tracking/settings") || method === "GET") return undefined;
    return { status: 200, body: { status: "error", message, ...(method === "PUT" && { http_status: 403 }) } };
  });
  const set = await run(..."errors settings set -p 7 --active true --integrated false".split(" "));
  expect(set).toEqual({
    code: 5,
    stdout: "",
    stderr: `error: could not set up a project's integrated error tracking (PUT → 403)\ncause: ${message}\n`,
  });
  const enable = await run(..."errors enable -p 7 -o json".split(" "));
  expect([enable.code, enable.stdout]).toEqual([1, ""]);
  expect(JSON.parse(enable.stderr).error).toMatchObject({
    code: "invalid",
    status: 400,
    cause: message,
    retryable: false,
  });
});

test("integrated-tracking-off: settings set is 404, and the error says that it is off", async () => {
  const { run } = await alteringSession(({ method, path }) =>
    method === "PUT" && path.includes("/error_tracking/settings")
      ? { status: 404, body: { message: "404 Not Found" } }
      : undefined,
  );
  const { stderr: got } = await run(..."errors settings get -p 6".split(" "));
  expect(got).toContain("an external one is set up in the project's settings on the web");
  const { code, stderr } = await run(..."errors settings set -p 6 --active true --integrated true".split(" "));
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining("integrated error tracking is turned off on this instance"),
  ]);
});

test("integrated-tracking-off: a state file switches off an external tracker, which PUT would not", async () => {
  const { run, home } = await sandboxSession({ asDeployed: true });
  const text = "forgectl: 1\nprojects: { acme/platform/gateway: { error_tracking: { active: false } } }\n";
  writeFileSync(join(home, "state.yaml"), text);
  expect((await run(..."state apply -f state.yaml --yes".split(" "))).code).toBe(0);
  const { stdout } = await run(..."errors settings get -p 3 --jq [.active,.integrated]".split(" "));
  expect(JSON.parse(stdout)).toEqual([false, false]);
});
