import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";

// A dry run of an apply or a rollback shows the requests that it would send, no others, and ends as it would end: what
// would be left is named, with exit 9.

const missing = "the project acme/nonexist was not found; if it exists, give its ID";
const scope = "projects: { acme/docs: { job_token_scope: { inbound_enabled: true, allowlist: [acme/nonexist] } } }";

async function stated(text: string) {
  const admin = await sandboxSession();
  writeFileSync(join(admin.home, "s.yaml"), `forgectl: 1\n${text}\n`);
  const state = (line: string) => admin.run("state", ...line.split(" "));
  return { ...admin, state };
}

test("what an unknown entry withholds is not shown, and the entry is named", async () => {
  const { state } = await stated(scope);
  const dry = await state("apply -f s.yaml -n");
  expect([dry.code, dry.stdout]).toEqual([9, "method\turl\tbody\n"]);
  expect(dry.stderr).toContain(missing);
  const real = await state("apply -f s.yaml --yes");
  expect([real.code, real.stdout]).toEqual([9, expect.stringContaining("skipped")]);
});

test("beside it, what is sent is shown", async () => {
  const { state } = await stated(`${scope}\ngroups: { acme: { saml_group_links: [{ name: New, access_level: 30 }] } }`);
  const dry = await state("apply -f s.yaml -n");
  const sent = dry.stdout.split("\n").slice(1, -1);
  expect([dry.code, sent]).toEqual([9, [expect.stringMatching(/^POST\t\S+\/groups\/acme\/saml_group_links\t/)]]);
  expect(dry.stderr).toContain(missing);
});

test("a rollback names what it does not restore", async () => {
  const hook = (value: string) =>
    `groups: { acme: { hooks: [{ name: New, url: https://a.example/in, token: ${value}, push_events: true }] } }`;
  const { state, home } = await stated(hook("first"));
  expect((await state("apply -f s.yaml --yes")).code).toBe(0);
  writeFileSync(join(home, "s.yaml"), `forgectl: 1\n${hook("second").replace("push", "note")}\n`);
  expect((await state("apply -f s.yaml --yes --secrets always")).code).toBe(0);
  const dry = await state("rollback -n");
  const real = await state("rollback --yes");
  const lost = /restored without [^;\n]+/.exec(real.stderr)?.[0] ?? "";
  expect([real.code, lost], real.stderr).toEqual([9, expect.stringContaining("token")]);
  expect([dry.code, dry.stderr]).toEqual([9, expect.stringContaining(lost)]);
  expect(dry.stdout).toContain("PUT\t");
});

test("what a dry run of each or batch suggests is one, too", async () => {
  const { run, home } = await sandboxSession();
  const add = "job-token projects add acme/gone";
  const lines = ["job-token limit on -p acme/docs", `${add} -p acme/docs`];
  writeFileSync(join(home, "lines"), lines.map((line) => JSON.stringify({ args: line.split(" ") })).join("\n"));
  writeFileSync(join(home, "paths"), "acme/docs\nacme/website\n");
  const enabled = async () => (await run(..."job-token get -p acme/docs --jq .inbound_enabled".split(" "))).stdout;
  expect(await enabled()).toBe("false\n");
  for (const line of [
    `each --projects-file paths -n -o json -- ${add}`,
    `each --projects-file paths -n --yes -o json -- ${add}`,
    "batch lines -n --yes -o json",
  ]) {
    const dry = await run(...line.split(" "));
    const hint = hintOf(dry.stderr);
    expect([dry.code, hint.split(" -- ")[0]]).toEqual([9, expect.stringContaining(" --dry-run")]);
    expect(hint).not.toContain("--yes");
    await run(...hint.split(" ").slice(1));
  }
  expect(await enabled()).toBe("false\n");
});

test.each(["batch lines --yes -o json", "each --projects-file paths --yes -o json -- job-token limit on"])(
  "a dry run of what is left of a run, %s, has what was done as skipped, and keeps the run",
  async (line) => {
    const { run, home } = await sandboxSession();
    const paths = ["acme/docs", "acme/gone"];
    const lines = paths.map((project) => JSON.stringify({ args: ["job-token", "limit", "on", "-p", project] }));
    writeFileSync(join(home, "lines"), lines.join("\n"));
    writeFileSync(join(home, "paths"), paths.join("\n"));
    const hint = hintOf((await run(...line.split(" "))).stderr)
      .split(" ")
      .slice(1);
    for (let turn = 0; turn < 2; turn++) {
      const { stdout } = await run(...hint, "-n", "-o", "json");
      const rows = JSON.parse(stdout) as object[];
      expect(rows.map((row) => JSON.stringify(row).includes("PATCH"))).toEqual([false, true]);
    }
    // A run is removed once all of it is done, and not by a dry run in which all would be.
    expect((await run(...hint, "-o", "json")).code).not.toBe(2);
  },
);

function hintOf(stderr: string): string {
  return JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error.hint;
}
