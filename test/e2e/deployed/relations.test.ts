import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession } from "../../support/altering-proxy.ts";
import { sandboxSession } from "../../support/session.ts";

const on = "settings set bulk_import_enabled=true --yes".split(" ");

test.concurrent("direct-transfer-off: a 404 names the setting, and the command in the hint works", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  for (const line of ["relations status -p 3", "relations export -p 3 --wait", "relations download issues -p 3"]) {
    const { code, stderr } = await run(...line.split(" "));
    expect([code, stderr]).toEqual([3, expect.stringContaining("forgectl settings set bulk_import_enabled=true")]);
  }
  expect((await run(...on)).code).toBe(0);
  expect((await run(..."relations status -p 3".split(" "))).code).toBe(0);
});

test.concurrent("relation-status-object: one object, a list, and a list of all are shown alike", async () => {
  const deployed = await sandboxSession({ asDeployed: true });
  await deployed.run(...on);
  const line = "relations status -p 3 --relation issues --fields relation,status --no-header".split(" ");
  const one = { code: 0, stdout: "issues\t1\n", stderr: "" };
  expect(await deployed.run(...line)).toEqual(one);
  expect((await deployed.run(...line, "--watch")).code).toBe(0);
  const missing = await deployed.run(..."relations status -p 3 --relation nonsense".split(" "));
  expect([missing.code, missing.stderr]).toEqual([3, expect.stringContaining("and the relation if one was given")]);
  expect(await (await sandboxSession()).run(...line)).toEqual(one);
  const unfiltered = await alteringSession(({ path, body }) =>
    path.includes("relation=")
      ? { body: [{ ...(body as object[])[0], relation: "labels" }, ...(body as object[])] }
      : undefined,
  );
  expect(await unfiltered.run(...line)).toEqual(one);
});

test.concurrent("relation-archives: the repository is saved as an archive, whole or next to batches", async () => {
  const { run, home } = await sandboxSession({ asDeployed: true });
  await run(...on);
  const pulled = await run(..."relations pull all -p 3 --batched -o json".split(" "));
  const rows = JSON.parse(pulled.stdout) as Record<string, unknown>[];
  expect([pulled.code, pulled.stderr]).toEqual([0, `${rows.length} of ${rows.length} done\n`]);
  expect(rows.find(({ relation }) => relation === "repository")).toMatchObject({
    ...{ batch: null, status: "fetched", file: "repository.tar.gz", lines: null },
  });
  expect(rows.find(({ relation }) => relation === "labels")).toMatchObject({ batch: 1, lines: 6 });
  expect(readdirSync(join(home, "all"))).toContain("repository.tar.gz");
  const one = await run(..."relations download repository -p 3 --fields file --no-header".split(" "));
  expect(one).toEqual({ code: 0, stdout: "repository.tar.gz\n", stderr: "" });
});

test.concurrent("a status without the fields that a wait needs is an error that names them, and a later try may succeed", async () => {
  const { run } = await alteringSession(({ path, body }) =>
    path.includes("/status") && Array.isArray(body)
      ? { body: body.map(({ updated_at: _, ...entry }) => entry) }
      : undefined,
  );
  const { code, stderr } = await run(..."relations status -p 3 --watch".split(" "));
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("cause: in a RelationStatus of the answer, updated_at is missing\n"),
  ]);
  const one = await run(..."relations status -p 3 --relation labels".split(" "));
  expect([one.code, one.stderr]).toEqual([1, expect.stringContaining("cause: in a status, updated_at is missing\n")]);
});

test.concurrent("export-reused: an export that the instance does not repeat is used, and pulled", async () => {
  let frozen: unknown;
  let exports = 0;
  const { direct, ...proxied } = await alteringSession(
    ({ method, path, body }) => {
      if (method === "POST" && path.endsWith("/export_relations")) exports += 1;
      if (method !== "GET" || !path.includes("/export_relations/status")) return undefined;
      // From the second export on, the instance answers 202, and changes nothing.
      if (exports < 2) frozen = body;
      return { body: frozen };
    },
    { asDeployed: true },
  );
  await direct.run(...on);
  expect((await proxied.run("relations", "export", "-p", "3", "--wait")).code).toBe(0);
  const { code, stderr } = await proxied.run("relations", "pull", "all", "-p", "3", "--wait-timeout", "60");
  expect(code).toBe(0);
  expect(stderr).toMatch(/(\d+) of \1 relations were not exported again/);
  expect(readdirSync(join(proxied.home, "all"))).toContain("manifest.json");
}, 60_000);

test.concurrent("export-reused: one 500 does not end a wait before it has begun", async () => {
  let looks = 0;
  const { direct, run } = await alteringSession(
    ({ path }) =>
      path.includes("/export_relations/status") && looks++ === 0
        ? { status: 500, body: { message: "500" } }
        : undefined,
    { asDeployed: true },
  );
  await direct.run(...on);
  const status = await run("relations", "status", "-p", "3", "--wait", { env: { FORGECTL_RETRIES: "0" } });
  expect([status.code, looks]).toEqual([0, expect.any(Number)]);
  looks = 0;
  const exported = await run("relations", "export", "-p", "3", "--wait", { env: { FORGECTL_RETRIES: "0" } });
  expect(exported.code).toBe(0);
});

test.concurrent("export-queued: the line that waits for an export waits until it has begun, also for the first one", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  await run(...on);
  const fields = ["--fields", "relation,batched", "--no-header"];
  const first = await run(..."relations export -p 6".split(" "));
  const line = (text: string) => /scheduled; forgectl (.*) waits for it/.exec(text)?.[1]?.split(" ") ?? [];
  const waited = await run(...line(first.stderr), ...fields);
  expect([waited.code, waited.stdout]).toEqual([
    0,
    expect.stringMatching(/issues\tfalse[\s\S]*user_contributions\tfalse\n/),
  ]);
  const second = await run(..."relations export -p 3 --batched".split(" "));
  const again = await run(...line(second.stderr), ...fields);
  expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/issues\ttrue\n/)]);
}, 60_000);
