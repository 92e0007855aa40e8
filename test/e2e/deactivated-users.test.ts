import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";

// Who signs in to a deactivated account activates it: audits pass over accounts that are blocked alone.

type User = Readonly<Record<string, unknown>>;

/** An instance whose administrator without a second factor has this state; `active` leaves others out. */
async function withState(state: string) {
  const altered = (user: User) =>
    user.username === "root" ? { ...user, state, is_admin: true, two_factor_enabled: false } : user;
  return alteringSession(({ method, path, body }) => {
    if (method !== "GET" || !/\/api\/v4\/users(?:\/\d+)?(?:\?|$)/.test(path)) return undefined;
    if (!Array.isArray(body)) return { body: altered(body as User) };
    const users = (body as User[]).map(altered);
    return { body: path.includes("active=true") ? users.filter((user) => user.state === "active") : users };
  });
}

const report = "users report --admins --reason no_two_factor --exit-code -o json".split(" ");
const audit = "audit -o ndjson".split(" ");

test.each([
  ["deactivated", true],
  ["active", true],
  ["frozen", true],
  ["blocked", false],
  ["banned", false],
  ["ldap_blocked", false],
  ["blocked_pending_approval", false],
])("an administrator without a second factor whose account is %s is reported: %s", async (state, isReported) => {
  const { run } = await withState(state);
  const { code, stdout } = await run(...report);
  const found = (JSON.parse(stdout) as User[]).filter(({ username }) => username === "root");
  expect(found).toEqual(isReported ? [expect.objectContaining({ state, reasons: ["no_two_factor"] })] : []);
  expect(code === 10 || !isReported).toBe(true);
  const judged = await run(...audit);
  expect(judged.stdout.includes("user root")).toBe(isReported);
});

test.each([
  ["deactivated", false],
  ["blocked", true],
])("a user in a rule whose account is %s is a blocked user: %s", async (state, isBlocked) => {
  const { run } = await alteringSession(({ method, path, body }) =>
    method === "GET" && /\/users\/\d+$/.test(path) ? { body: { ...(body as User), state } } : undefined,
  );
  const { stdout } = await run("envs", "audit", "-p", "acme/storefront", "-o", "json");
  expect(stdout.includes("blocked_user")).toBe(isBlocked);
});
