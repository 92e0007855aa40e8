import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession, type Exchange } from "../support/altering-proxy.ts";

// What a command says that fails after its change, and what it shows on request, inside each and batch.

const untouched = () => undefined;

/** A session, and the only row of a line as that of a batch and of each. */
async function trial(alter: (exchange: Exchange) => { body: unknown } | undefined = untouched) {
  const { run, home, env } = await alteringSession(alter);
  writeFileSync(join(home, "projects.txt"), "acme/storefront\n");
  await run("profiles", "set", "one", `base-url=${env.FORGECTL_BASE_URL}`, `token-command=echo ${env.FORGECTL_TOKEN}`);
  const rowOf = async (...words: string[]) => {
    const { code, stdout } = await run(...words);
    return { code, row: (JSON.parse(stdout) as Record<string, unknown>[])[0] };
  };
  return {
    alone: (line: string) => run(...line.split(" "), "-p", "acme/storefront", "-o", "json", "--yes"),
    inBatch: (line: string, ...flags: string[]) => {
      const args = [...line.split(" "), "-p", "acme/storefront"];
      writeFileSync(join(home, "lines.ndjson"), JSON.stringify({ args }));
      return rowOf("batch", "lines.ndjson", "-o", "json", "--yes", ...flags);
    },
    inEach: (line: string) =>
      rowOf("each", "--projects-file", "projects.txt", "-o", "json", "--yes", "--", ...line.split(" ")),
  };
}

test("a change of which a later step fails is made, and what it showed before is there", async () => {
  const line = "errors keys rotate 1 --reveal --check false";
  const { alone, inBatch, inEach } = await trial();
  const { code, stdout, stderr } = await alone(line);
  expect([code, JSON.parse(stderr).error.outcome]).toEqual([1, "made"]);
  const { id: _, public_key: __, tracker_dsn: ___, ...shown } = JSON.parse(stdout) as Record<string, unknown>;

  const batch = await inBatch(line, "--profile", "one");
  expect(batch).toMatchObject({
    code: 1,
    row: { exit: 1, status: "made", result: { ...shown, id: 4, tracker_dsn: expect.stringContaining("://et_") } },
  });
  const { outcome, retryable, hint } = { ...(batch.row?.error as object) } as Record<string, unknown>;
  expect([outcome, retryable]).toEqual(["made", false]);
  // Pasted without the profile, it would delete a key of the current one's instance.
  expect(hint).toContain("forgectl --profile one errors keys delete 1 -p acme/storefront");

  expect(await inEach(line)).toMatchObject({
    code: 1,
    row: { ...shown, project: "acme/storefront", status: "made", id: 5, error: expect.stringMatching(/both work/) },
  });
});

test("what an instance stored otherwise is shown: the public note has an ID", async () => {
  const isNote = ({ method, path }: Exchange) => method === "POST" && /\/notes\b/.test(path);
  const { alone, inBatch, inEach } = await trial((exchange) =>
    isNote(exchange) ? { body: { ...(exchange.body as object), internal: false, confidential: false } } : undefined,
  );
  const line = "notes create --issue 28 --internal --body x";
  const { code, stdout } = await alone(line);
  const { id, body } = JSON.parse(stdout) as { id: number; body: string };
  expect([code, body]).toEqual([9, "x"]);
  const batch = await inBatch(line);
  expect(batch).toMatchObject({ code: 9, row: { exit: 9, status: "altered", result: { id: id + 1, body } } });
  const row = { project: "acme/storefront", status: "altered", id: id + 2, body };
  expect(await inEach(line)).toMatchObject({ code: 9, row: { ...row, error: expect.stringMatching(/internal/) } });
});

test("--reveal of the command shows its secrets, and nothing else does", async () => {
  const { inBatch, inEach } = await trial();
  const dsn = expect.stringMatching(/:\/\/et_\w+@/);
  const revealed = await inBatch("errors keys list --reveal");
  expect(revealed.row?.result).toMatchObject([{ tracker_dsn: dsn }, { tracker_dsn: dsn }]);
  expect((await inEach("errors keys list --reveal")).row).toMatchObject({ tracker_dsn: dsn });
  expect((await inBatch("errors keys list")).row?.result).toMatchObject([{ tracker_dsn: "[redacted]" }, {}]);
  expect((await inEach("errors keys list")).row).toMatchObject({ tracker_dsn: "[redacted]" });
});

test("a field that is only there on request is refused without it, as alone", async () => {
  const { run, home } = await alteringSession(untouched);
  writeFileSync(join(home, "projects.txt"), "acme/storefront\n");
  const each = ["each", "--projects-file", "projects.txt", "-o", "csv", "--fields", "project,path,tags_count", "--"];
  const { code, stdout, stderr } = await run(...each, "registry", "list");
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining("--fields tags_count needs --tags-count")]);
  const asked = await run(...each, "registry", "list", "--tags-count");
  expect([asked.code, asked.stdout.split("\n")[1]]).toEqual([0, "acme/storefront,acme/storefront,63"]);
});
