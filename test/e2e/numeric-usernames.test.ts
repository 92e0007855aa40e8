import { expect, test } from "vitest";
import { session } from "../support/session.ts";
import { smallInstance } from "../support/small-instance.ts";

// A username may be digits, which commands read as an ID: here the user 66 has the username "1".

const person = {
  ...{ state: "active", email: "a@b.example", is_admin: false, two_factor_enabled: true },
  ...{ created_at: "2026-01-01T00:00:00Z", last_activity_on: "2999-01-01", last_sign_in_at: "2026-11-20T00:00:00Z" },
};
const people = [
  { ...person, id: 1, username: "root", name: "Root", is_admin: true },
  {
    ...person,
    id: 66,
    username: "1",
    name: "Mallory",
    two_factor_enabled: false,
    last_activity_on: null,
    last_sign_in_at: null,
  },
];

async function runner() {
  const { url } = await smallInstance({
    "GET /user": { id: 1, username: "root", is_admin: true },
    "GET /users": people,
    "GET /users/1": people[0] ?? {},
    "GET /users/66": people[1] ?? {},
    "GET /application/settings": { id: 1 },
  });
  return session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: "t0ken-of-root" }).run;
}

test("the line that an audit suggests shows the user whom it found", async () => {
  const run = await runner();
  const { stdout } = await run("audit", "--settings", "-o", "json");
  const rows = (JSON.parse(stdout) as Record<string, string>[]).filter(({ rule }) => rule?.startsWith("users."));
  expect(rows.map(({ where, rule, try: next }) => `${where} ${rule}: ${next}`).sort()).toEqual([
    "user 1 users.never_signed_in: forgectl users get 66",
    "user 1 users.no_two_factor: forgectl users get 66",
  ]);
  for (const { try: next = "" } of rows) {
    const shown = await run(...next.split(" ").slice(1), "--jq", ".username");
    expect(shown.stdout).toBe("1\n");
  }
});

test("no rule names a user otherwise than by ID", async () => {
  const { stdout } = await (await runner())("audit", "--rules", "-o", "json");
  const lines = (JSON.parse(stdout) as Record<string, string>[]).map(({ try: line = "" }) => line);
  expect(lines.filter((line) => line.startsWith("users ")).length).toBeGreaterThan(0);
  expect(lines.filter((line) => /\{(?:user)?name\}/.test(line))).toEqual([]);
});

test("TAB does not offer it", async () => {
  const run = await runner();
  const offers = async () => (await run("__complete", "--", "users", "get", "")).stdout.split("\n");
  await expect.poll(offers, { timeout: 10_000 }).toContain("root\tRoot");
  expect((await offers()).join("\n")).not.toContain("Mallory");
});
