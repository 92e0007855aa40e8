import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { sandboxSession, session } from "../support/session.ts";

// What is in front of the instance answers 404 as well: that is an error, and never "there is none".

const bodies: readonly unknown[] = [
  { message: "no Route matched with those values" },
  { message: "Not Found" },
  {},
  "default backend - 404",
];

/** The first reads that fit, until the instance answers. */
function gateway(path: RegExp, body: unknown, times = 1) {
  let left = times;
  return alteringSession(({ method, path: asked }) =>
    method === "GET" && path.test(asked) && left-- > 0 ? { status: 404, body } : undefined,
  );
}

test.each([
  ["state export -g globex --only ldap_group_links -O out.yaml", /ldap_group_links/, 9],
  ["state export -p 7 --only error_tracking -O out.yaml", /error_tracking\/settings/, 9],
  ["ldap links list -g globex", /ldap_group_links/, 1],
  ["groups export -g acme -O new.tar.gz", /\/export\/download/, 1],
  ["relations pull out -p 7", /\/export_relations\/status/, 1],
  ["users get 4711", /\/users\/4711/, 1],
])("%s", async (line, path, exit) => {
  for (const body of bodies) {
    const { run, home, seen } = await gateway(path, body);
    const { code, stderr } = await run(...line.split(" "));
    expect([body, code, stderr]).toEqual([body, exit, expect.stringContaining("not as the platform's API does")]);
    expect(seen.filter((each) => !each.startsWith("GET"))).toEqual([]);
    const written = join(home, "out.yaml");
    if (existsSync(written)) expect(readFileSync(written, "utf8")).not.toMatch(/ldap_group_links|error_tracking/);
  }
});

test("a web page says that there is no link as little", async () => {
  const faults = "GET /groups/globex/ldap_group_links=html:status=404*1";
  const { run } = await sandboxSession({ asDeployed: true, faults });
  const { code, stdout, stderr } = await run(
    "state",
    "export",
    "-g",
    "globex",
    "--only",
    "ldap_group_links",
    "-O",
    "-",
  );
  expect([code, stdout.includes("ldap_group_links")], stderr).toEqual([9, false]);
  expect(stderr).toContain("with a web page, not with the platform's API");
});

test("a removal whose answer was lost is not made because a gateway has no route for the list", async () => {
  let isLost = false;
  const { run, home } = await alteringSession(({ method, path }) => {
    if (!path.includes("ldap_group_links")) return undefined;
    isLost ||= method === "DELETE";
    if (!isLost) return undefined;
    return method === "DELETE" ? { status: 502, body: {} } : { status: 404, body: bodies[0] };
  });
  writeFileSync(join(home, "l.yaml"), "forgectl: 1\ngroups: { acme: { ldap_group_links: [] } }\n");
  const words = "state apply -f l.yaml --prune --max-delete all --yes -o ndjson --retries 0".split(" ");
  const { code, stdout } = await run(...words);
  expect(code).not.toBe(0);
  expect(stdout).toContain('"status":"unknown"');
  expect(stdout).not.toContain('"status":"done"');
});

test("a file is not gone because a gateway has no route for it", async () => {
  let isLost = false;
  const { run } = await alteringSession(({ method, path }) => {
    if (!path.includes("/repository/files/")) return undefined;
    isLost ||= method === "DELETE";
    if (!isLost) return undefined;
    return { status: method === "DELETE" ? 502 : 404, body: { message: "Not Found" } };
  });
  const line = "files delete README.md -p acme/storefront -b main -m x --yes --retries 0 -o json";
  const { code, stderr } = await run(...line.split(" "));
  expect([code === 0, JSON.parse(stderr).error.outcome]).toEqual([false, "unknown"]);
});

test("drift of what a gateway hides is not equal", async () => {
  const { run, home } = await gateway(/error_tracking\/settings/, bodies[0], 99);
  writeFileSync(
    join(home, "s.yaml"),
    "forgectl: 1\nprojects: { acme/storefront: { error_tracking: { active: false, integrated: false } } }\n",
  );
  expect((await run("state", "plan", "-f", "s.yaml", "--exit-code")).code).toBe(9);
});

const doubtful: readonly (readonly [line: string, role: "guest" | "administrator"])[] = [
  ["notes delete 300011 --issue 28 -p acme/storefront", "guest"],
  ["notes delete 300011 --issue 9999 -p acme/storefront", "administrator"],
  ["discussions delete 45e1ded38990e86b70bc91ffbf1f90b1d0e47350 300032 --issue 9999 -p 7", "administrator"],
  ["registry delete 6 -p acme/platform/billing", "guest"],
  ["saml identities delete x-1 -g acme", "administrator"],
  ["scim identities delete x-1 -g acme", "administrator"],
];

test.each(doubtful)("%s as %s: what was never seen is not gone after a lost answer", async (line, role) => {
  for (const status of [502, 504]) {
    const { sandbox } = await sandboxSession({ asDeployed: true, faults: `DELETE /**=${status}*1` });
    const { run } = session({ FORGECTL_BASE_URL: sandbox.url, FORGECTL_TOKEN: sandbox.tokens[role] });
    const { code, stdout, stderr } = await run(...line.split(" "), "--yes", "-o", "json");
    expect([status, code === 0, stdout], stderr).toEqual([status, false, ""]);
    // A discussion that is not shown is not sent a deletion.
    const outcome = line.startsWith("discussions") ? null : "unknown";
    expect(JSON.parse(stderr).error).toMatchObject({ outcome, retryable: false });
  }
});

test.each([
  ["notes delete 300003 --issue 28 -p 7"],
  ["discussions delete 45e1ded38990e86b70bc91ffbf1f90b1d0e47350 300032 --issue 28 -p 7"],
  ["hooks delete 1 -g acme"],
  ["envs unprotect production -p 7"],
])("%s: what was there, and is not after a lost answer, is gone", async (line) => {
  const { run } = await alteringSession(({ method }) => (method === "DELETE" ? "lost" : undefined));
  const { code, stderr } = await run(...line.split(" "), "--yes", "--retries", "0");
  expect([code, stderr]).toEqual([0, expect.stringMatching(/the answer was lost; a check shows that .* is gone/)]);
});
