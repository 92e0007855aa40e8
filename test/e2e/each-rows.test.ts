import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";

test("whose a row is says the program, not a field of the answer: an instance could name another one", async () => {
  const { run, home, env } = await alteringSession(({ method, path, body, status }) => {
    if (method === "PATCH" || status !== 200 || !path.endsWith("job_token_scope")) return undefined;
    return { body: { ...(body as object), profile: "prod", project: { id: 1 }, group: "g", failure: "none" } };
  });
  writeFileSync(join(home, "p.txt"), "acme/docs\n");
  const address = `base-url=${env.FORGECTL_BASE_URL}`;
  await run("profiles", "set", "staging", address, `token-command=echo ${env.FORGECTL_TOKEN}`);
  const each = "each --profiles staging --projects-file p.txt --yes --fields profile,project".split(" ");
  for (const command of ["get", "limit on"]) {
    for (const [format, shown] of [
      ["ndjson", '{"profile":"staging","project":"acme/docs"}\n'],
      ["csv", "profile,project\nstaging,acme/docs\n"],
    ] as const) {
      const { stdout } = await run(...each, "-o", format, "--", "job-token", ...command.split(" "));
      expect([command, stdout]).toEqual([command, shown]);
    }
  }
});
