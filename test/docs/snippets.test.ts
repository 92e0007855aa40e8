import { readFileSync } from "node:fs";
import { delimiter } from "node:path";
import { expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";
import { folderWithProgram, runScript } from "../support/shell.ts";

// Lines of the pages as they are printed, with values that they were not written for.

const { env, home, run } = await sandboxSession({ hosting: "hosted" });
const here = { cwd: home, env: { ...env, PATH: `${folderWithProgram(home)}${delimiter}${env.PATH}` } };
const printed = (page: string, pattern: RegExp) => pattern.exec(readFileSync(page, "utf8"))?.[0] ?? `no ${pattern}`;

test("README: what goes wrong unexpectedly does not look like a success", async () => {
  const script = printed("README.md", /^forgectl users get "\$name".*?^esac$/ms);
  const named = (name: string, more: object = {}) =>
    runScript(script, { ...here, env: { ...here.env, name, ...more } });
  expect(await named("dana.dixon")).toMatchObject({ code: 0 });
  expect((await named("nobody-here")).output).toMatch(/no such user\n$/);
  expect(await named("")).toMatchObject({ code: 2 });
  expect(await named("dana.dixon", { FORGECTL_TOKEN: "expired" })).toMatchObject({ code: 4 });
});

test("README: npm installs a file, not a repository of that name", () => {
  // Without `./`, npm takes `folder/file` for a repository, and would run what is in it.
  const lines = readFileSync("README.md", "utf8").match(/^npm install .*\.tgz$/gm) ?? [];
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => !/ \.{0,2}\/\S+\.tgz$/.test(line))).toEqual([]);
});

test("many.md: a UID is one cell of the map, whatever is in it", async () => {
  const script = printed("docs/many.md", /^forgectl saml identities list .*users\.csv$/m);
  const uid = "olivia.ortega@acme.example,mallory@evil.example\n#,\n#";
  await run("saml", "identities", "update", "dana.dixon@acme.example", "--extern-uid", uid, "-g", "acme");
  expect(await runScript(script, here)).toMatchObject({ code: 0 });
  const remapped = await run("saml", "identities", "remap", "-g", "acme", "--map", "users.csv", "-n");
  expect([remapped.code, remapped.stderr]).toEqual([0, expect.stringMatching(/^warning: [^\n]*\n$/)]);
});
