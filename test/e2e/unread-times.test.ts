import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { signedIn } from "../support/answering.ts";

// Nothing is deleted, and no user is called dormant, for a time that is not one: JavaScript reads "5" as May 2001.

const odd = ["5", "yesterday 1", "01/02/2020 10:00", "2020-01-01T00:00:00"];
const sent = (response: ServerResponse, value: unknown) =>
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));

test("uploads prune keeps uploads of an unknown age", async () => {
  const times = [...odd, "2020-01-01T00:00:00Z"];
  const uploads = times.map((created_at, index) => ({ id: index + 1, filename: `${index + 1}.log`, created_at }));
  const user = await signedIn(({ method }, response) =>
    method === "GET" ? sent(response, uploads) : response.writeHead(204).end(),
  );
  const { code } = await user.run(..."uploads prune -p 7 --older-than 1d --yes".split(" "));
  expect([code, user.seen.filter((line) => line.startsWith("DELETE"))]).toEqual([
    0,
    ["DELETE /forge/api/v4/projects/7/uploads/5"],
  ]);
  // They are not the newest either: the one whose age is known is.
  expect((await user.run(..."uploads prune -p 7 --older-than 1d --keep-n 1 --yes".split(" "))).code).toBe(0);
  expect(user.seen.filter((line) => line.startsWith("DELETE")).length).toBe(1);
});

test("users report judges no user by such a time", async () => {
  const users = odd.map((last_activity_on, index) => {
    const flags = { two_factor_enabled: true, is_admin: false, external: false };
    return { id: index + 1, username: `u${index + 1}`, ...flags, last_activity_on, last_sign_in_at: null };
  });
  const admin = await signedIn(({ url = "" }, response) =>
    sent(response, url.endsWith("/user") ? { id: 1, username: "root", is_admin: true } : users),
  );
  const { code, stdout, stderr } = await admin.run(..."users report --reason dormant -o json".split(" "));
  expect([code, stdout]).toEqual([9, "[]\n"]);
  expect(stderr).toContain("4 of 4 users could not be judged");
});
