import { expect, test } from "vitest";
import { json, signedIn } from "../support/answering.ts";

test("a column of each has its values where the name of the field has a dot", async () => {
  const { run, env } = await signedIn(json(200, '{"id":1,"max.attempts":4}'));
  await run("profiles", "set", "one", `base-url=${env.FORGECTL_BASE_URL}`, "token-command=echo t0ken");
  const each = async (...more: string[]) =>
    (await run("each", "--profiles", "one", ...more, "--", "api", "flags")).stdout;
  expect(await each("-o", "csv")).toBe("profile,id,max.attempts,failure\none,1,4,\n");
  expect(await each("-o", "csv", "--fields", "max.attempts")).toBe("max.attempts\n4\n");
  expect(JSON.parse(await each("-o", "json", "--fields", "max.attempts"))).toEqual([{ "max.attempts": 4 }]);
});

test("a column that is named by a profile has its values where the name has a dot", async () => {
  const { run, env } = await signedIn((request, response, origin) => {
    const [, limit] = /(\d+)$/.exec(String(request.headers["private-token"])) ?? [];
    const settings = `{"id":1,"max_login_attempts":${limit},"home_page_url":null}`;
    return json(200, settings)(request, response, origin);
  });
  const names = ["forge.eu", "forge.us", "staging"];
  for (const [index, name] of names.entries()) {
    await run("profiles", "set", name, `base-url=${env.FORGECTL_BASE_URL}`, `token-command=echo t0ken-${index + 4}`);
  }
  const diff = async (...more: string[]) => (await run("settings", "diff", ...names, ...more)).stdout;
  expect(await diff("-o", "csv")).toBe("name,forge.eu,forge.us,staging\nmax_login_attempts,4,5,6\n");
  expect(await diff("-o", "table")).toMatch(/max_login_attempts +4 +5 +6/);
});
