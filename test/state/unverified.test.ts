import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { alteringSession } from "../support/altering-proxy.ts";
import { sandboxSession } from "../support/session.ts";

// What cannot be read back is never called verified: the permissions of an allowlist entry, and secrets.

const permissions = "not verified: the permissions of an added entry, which the API does not show; it has all";

test.concurrent.each([
  ["state apply", "forgectl: 1\nprojects: { acme/docs: { job_token_scope: { allowlist: [1, 3, 7] } } }\n", ""],
  ["job-token apply", "allowlist: [1, 3, 7]\n", "-p acme/docs"],
])(
  "%s and state rollback say that the permissions of an entry that they add are not known",
  async (line, file, scope) => {
    const { run, home } = await sandboxSession();
    for (const id of ["1", "3"]) await run("job-token", "projects", "remove", id, "-p", "acme/docs", "--yes");
    writeFileSync(join(home, "state.yaml"), file);
    const words = `${line} -f state.yaml ${scope} --yes --no-header`.trim().split(/ +/);
    const applied = await run(...words);
    expect(applied.code, applied.stderr).toBe(0);
    for (const row of applied.stdout.trim().split("\n"))
      expect(row).toMatch(new RegExp(`\tcreate\tdone\t${permissions}$`));
    expect(applied.stderr).toMatch(/^3 changes made; not verified: the permissions/m);

    writeFileSync(join(home, "less.yaml"), file.replace("[1, 3, 7]", "[1]"));
    const pruned = await run(...words.map((word) => (word === "state.yaml" ? "less.yaml" : word)), "--prune");
    expect([pruned.code, pruned.stderr]).toEqual([0, expect.stringContaining("2 changes made and verified")]);
    expect(pruned.stderr).toMatch(/allowlist\/3, \S+#allowlist\/7: its permissions, .* added again, it has all\n/);
    const back = await run("state", "rollback", "--yes", "--no-header");
    expect(back).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`acme/docs#allowlist/3\tcreate\tdone\t${permissions}\n`),
      stderr: expect.stringMatching(
        /#allowlist\/3.*: not restored: the permissions(?:.|\n)*2 changes made; not verified: /,
      ),
    });
  },
);

test.concurrent("a secret that was sent is not counted as verified", async () => {
  const { run, home } = await sandboxSession();
  const hook = "{ name: New, url: 'https://new.acme.example/', events: [push], token: { env: TOKEN_OF_HOOK } }";
  const links = "[{ name: Newcomers, access_level: guest }]";
  writeFileSync(
    join(home, "state.yaml"),
    `forgectl: 1\ngroups: { acme: { hooks: [${hook}], saml_group_links: ${links} } }\n`,
  );
  const applied = await run(..."state apply -f state.yaml --yes".split(" "), {
    env: { TOKEN_OF_HOOK: "s3cret-of-hook" },
  });
  expect([applied.code, applied.stderr]).toEqual([
    0,
    expect.stringMatching(/^2 changes made, 1 verified; not verified: secrets, which cannot be read back\n/),
  ]);
});

test.concurrent("what the instance stored otherwise is not counted as not made", async () => {
  // Below Premium, of those who may push only a level is taken.
  const { run, home } = await sandboxSession({ tier: "free" });
  const branch = "{ name: hot/*, push_access_levels: [{ user_id: 4 }], merge_access_levels: [{ access_level: 30 }] }";
  writeFileSync(
    join(home, "state.yaml"),
    `forgectl: 1\nprojects: { acme/docs: { protected_branches: [${branch}] } }\n`,
  );
  const applied = await run(..."state apply -f state.yaml --yes --no-header".split(" "));
  expect([applied.code, applied.stdout]).toEqual([9, expect.stringContaining("\tcreate\taltered\t")]);
  expect(applied.stderr).toMatch(
    /^error: 1 of 1 changes were not made, or not as planned: the instance stored something else for 1\n/m,
  );
});

describe("settings whose change is answered with success, but not with what was sent", () => {
  const name = "terminal_max_session_time";
  const apply = "settings apply -f settings.yaml --yes -o json".split(" ");
  const answering = async (body: unknown, options: SandboxOptions = {}) => {
    const place = await alteringSession(
      ({ method, path }) => (method === "PUT" && path.endsWith("/application/settings") ? { body } : undefined),
      options,
    );
    writeFileSync(join(place.home, "settings.yaml"), `${name}: 77\n`);
    return place;
  };
  const others: [body: unknown][] = [[{ id: 1 }], [{ id: 1, max_attachment_size: 100 }], [null]];

  test.concurrent.each(others)("%j: a read shows that it was made", async (body) => {
    const { run } = await answering(body);
    const applied = await run(...apply);
    expect([applied.code, JSON.parse(applied.stdout)[0].status]).toEqual([0, "done"]);
  });

  test.concurrent.each(others)(
    "%j, and reads that are cached: it is unknown, and a rollback restores",
    async (body) => {
      const { run, direct } = await answering(body, { settingsCacheSeconds: 600 });
      const { code, stdout, stderr } = await run(...apply);
      expect([code, JSON.parse(stdout)[0]]).toMatchObject([9, { status: "unknown" }]);
      expect(JSON.parse(stderr.slice(stderr.indexOf('{"error"'))).error).toMatchObject({
        outcome: "unknown",
        retryable: false,
        hint: expect.stringContaining("in a minute"),
      });
      await run("settings", "rollback", "--yes");
      const { stdout: answer } = await direct.run(
        "api",
        "-X",
        "PUT",
        "application/settings",
        "-F",
        "max_attachment_size=55",
      );
      expect(JSON.parse(answer)[name]).toBe(0);
    },
  );

  test.concurrent.each([403, 409, 429])(
    "a lost answer, and a %i to the second attempt: it is unknown as well",
    async (status) => {
      let changes = 0;
      const { run, home } = await alteringSession(
        ({ method }) => (method !== "PUT" ? undefined : ++changes === 1 ? "lost" : { status, body: { message: "no" } }),
        { settingsCacheSeconds: 600 },
      );
      writeFileSync(join(home, "settings.yaml"), `${name}: 77\n`);
      const { stdout, stderr } = await run(...apply, "--retries", "0");
      expect(JSON.parse(stdout)[0]).toMatchObject({
        status: "unknown",
        error: expect.stringContaining("earlier attempt"),
      });
      expect(stderr).toMatch(/"retryable":false,"outcome":"unknown"/);
      expect((await run("settings", "rollback", "--yes", "--dry-run", "-o", "json")).stdout).toMatch(
        new RegExp(`"${name}": ?0`),
      );
    },
  );
});
