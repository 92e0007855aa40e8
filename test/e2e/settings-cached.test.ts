import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";

// An instance that caches its settings: for a while after a change it returns the previous values.

const name = "terminal_max_session_time";
let admin: Awaited<ReturnType<typeof sandboxSession>>;
let slow: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  admin = await sandboxSession({ settingsCacheSeconds: 2 });
  slow = await sandboxSession({ settingsCacheSeconds: 600 });
  for (const { home } of [admin, slow]) writeFileSync(join(home, "settings.yaml"), `${name}: 77\n`);
});

const shown = async () => (await admin.run("settings", "get", name)).stdout.trim();

describe("--wait of apply and rollback ends once the settings are in force", () => {
  test("settings apply, and settings rollback right after it", async () => {
    const applied = await admin.run("settings", "apply", "-f", "settings.yaml", "--wait", "--yes");
    expect([applied.code, await shown()]).toEqual([0, "77"]);
    const back = await admin.run("settings", "rollback", "--wait", "--yes", "--no-header");
    expect([back.code, back.stdout, await shown()]).toEqual([0, "#settings\tupdate\tdone\t\n", "0"]);
  });

  test("a rollback of settings that are not in force yet is not reported as done, and --wait waits for them too", async () => {
    const applied = await admin.run("settings", "apply", "-f", "settings.yaml", "--yes");
    const [, run] = /undo: forgectl state rollback (\S+)/.exec(applied.stderr) ?? [];
    const early = await admin.run("settings", "rollback", "--yes", "--no-header");
    expect(early).toEqual({
      code: 8,
      stdout: "",
      stderr:
        `error: the instance shows the settings as they were before run ${run}\n` +
        "cause: it caches settings, or they were restored since; nothing was sent\n" +
        `try:   forgectl settings rollback ${run} --wait\n`,
    });
    const back = await admin.run("state", "rollback", String(run), "--wait", "--yes", "--no-header");
    expect([back.code, back.stdout, await shown()]).toEqual([0, "#settings\tupdate\tdone\t\n", "0"]);
  });
});

describe("a wait that times out", () => {
  test("is exit 8; the change was made, and is reported as made", async () => {
    const late = await slow.run(
      ..."settings apply -f settings.yaml --wait --wait-timeout 1 --yes --no-header".split(" "),
    );
    const [, run] = /run (\w+-\w{4})/.exec(late.stderr) ?? [];
    expect(late).toEqual({
      code: 8,
      stdout: "#settings\tupdate\tdone\tmade; not ready after 1 second (waiting for settings to be in force)\n",
      stderr:
        "error: not ready after 1 second (waiting for settings to be in force)\n" +
        `cause: the change was made; run ${run}\n` +
        `try:   forgectl settings get ${name}\n`,
    });
    const history = await slow.run("state", "history", "--fields", "what,changes,done", "--no-header");
    expect(history.stdout).toBe("settings apply\t1\t1\n");
  });

  test("before a rollback leaves everything as it is", async () => {
    const back = await slow.run(..."settings rollback --wait --wait-timeout 1 --yes -o json".split(" "));
    expect([back.code, back.stdout]).toEqual([8, ""]);
    expect(JSON.parse(back.stderr).error).toMatchObject({ code: "not_ready", retryable: true });
    expect((await slow.run("state", "history", "--no-header")).stdout.split("\n")).toHaveLength(2);
  });
});

test.each(["state apply -f settings.yaml", "settings apply -f settings.yaml", "state rollback", "settings edit"])(
  "%s takes --wait-timeout only with --wait",
  async (line) => {
    const { code, stderr } = await admin.run(...line.split(" "), "--wait-timeout", "1");
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: --wait-timeout requires --wait\n/)]);
  },
);
