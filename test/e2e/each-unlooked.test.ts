import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";

// A journal names projects by their IDs: one that cannot be looked up must not pass for one that is not done.

const note = ["notes", "create", "--issue", "1", "--body", "once"];
const cases = [
  ["each", ["each", "--projects-file", "projects.txt", "--journal", "j", "--yes", "--", ...note]],
  ["batch", ["batch", "b.ndjson", "--journal", "j", "--yes"]],
] as const;

const hidden = [500, 403, 404].flatMap((status) => [[status, "acme/docs"] as const, [status, "2"] as const]);

test.each(cases.flatMap(([job, words]) => hidden.map(([status, first]) => [job, status, first, words] as const)))(
  "%s: what is done is not done again if its project is not shown (%i) when the run is resumed, and was named %s",
  async (_, status, first, words) => {
    const state = { hides: false };
    const { run, home, seen } = await alteringSession(({ method, path }) =>
      state.hides && method === "GET" && /\/projects\/acme%2Fdocs$/.test(path)
        ? { status, body: { message: "not now" } }
        : undefined,
    );
    const list = (project: string) => {
      writeFileSync(join(home, "projects.txt"), `${project}\n`);
      writeFileSync(join(home, "b.ndjson"), `${JSON.stringify({ args: [...note, "-p", project] })}\n`);
    };
    list(first);
    const posts = () => seen.filter((line) => line.startsWith("POST ")).length;
    expect((await run("--retries", "0", ...words)).code).toBe(0);
    expect(posts()).toBe(1);
    state.hides = true;
    list("acme/docs");
    const again = await run("--retries", "0", ...words);
    // The record has the ID that the path had, if the path was typed before.
    expect([posts(), again.code]).toEqual([1, first === "2" ? 8 : 0]);
    const unknown = "does not show its project or group: an earlier run may have done it";
    expect(again.stderr).toContain(first === "2" ? unknown : "nothing was sent: it was done before");
    state.hides = false;
    expect((await run("--retries", "0", ...words)).stderr).toContain("nothing was sent: it was done before");
    expect(posts()).toBe(1);
  },
);

test.each(cases)("%s: what was done while its project was not shown is not done again once it is", async (_, words) => {
  const state = { hides: true };
  const { run, home, seen } = await alteringSession(({ method, path }) =>
    state.hides && method === "GET" && /\/projects\/acme%2Fdocs$/.test(path) ? { status: 403, body: {} } : undefined,
  );
  writeFileSync(join(home, "projects.txt"), "acme/docs\n");
  writeFileSync(join(home, "b.ndjson"), `${JSON.stringify({ args: [...note, "-p", "acme/docs"] })}\n`);
  expect((await run(...words)).code).toBe(0);
  state.hides = false;
  expect((await run(...words)).stderr).toContain("nothing was sent: it was done before");
  expect(seen.filter((line) => line.startsWith("POST "))).toHaveLength(1);
});

test.each(cases)("%s: a shard of what cannot be looked up is not guessed", async (_, words) => {
  const { run, home, seen } = await alteringSession(({ method, path }) =>
    method === "GET" && /\/projects\/acme%2Fdocs$/.test(path) ? { status: 500, body: {} } : undefined,
  );
  writeFileSync(join(home, "projects.txt"), "acme/docs\nacme/storefront\n");
  writeFileSync(join(home, "b.ndjson"), `${JSON.stringify({ args: [...note, "-p", "acme/docs"] })}\n`);
  for (const shard of ["1/2", "2/2"]) {
    const [job, ...rest] = words.map((word) => (word === "j" ? `${shard[0]}.journal` : word));
    expect((await run("--retries", "0", job ?? "", "--shard", shard, ...rest)).code).toBe(1);
  }
  expect(seen.filter((line) => line.startsWith("POST "))).toEqual([]);
});
