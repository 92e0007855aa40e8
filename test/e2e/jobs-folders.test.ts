import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { binary, node, type Session, sandboxSession } from "../support/session.ts";

// A record of a job belongs to what its command reads, also in a folder and in a pipe of the shell.

const state = (level: string) => `forgectl: 1
projects:
  acme/docs:
    protected_environments:
      - name: production
        deploy_access_levels: [{ access_level: ${level} }]
`;

/** What may be done to the folder `sf`, and whether the command then reads something else. */
const changes: readonly [what: string, isOther: boolean, act: (folder: string) => void][] = [
  ["nothing", false, () => undefined],
  ["a file with other content", true, (folder) => writeFileSync(join(folder, "a.yaml"), state("developer"))],
  ["a further file", true, (folder) => writeFileSync(join(folder, "b.yml"), "forgectl: 1\n")],
  ["a further file in a folder", true, (folder) => writeFileSync(join(folder, "sub/c.json"), '{"forgectl":1}')],
  ["a missing file", true, (folder) => rmSync(join(folder, "sub/empty.yaml"))],
  ["a file with another name", true, (folder) => renameSync(join(folder, "a.yaml"), join(folder, "b.yaml"))],
  ["a hidden file", false, (folder) => writeFileSync(join(folder, ".c.yaml"), "x")],
  ["a text", false, (folder) => writeFileSync(join(folder, "sub/README.md"), "x")],
];

/** A folder of state files, a list, and a batch that reads the folder. */
function prepare(home: string): string {
  const folder = join(home, "sf");
  mkdirSync(join(folder, "sub"), { recursive: true });
  writeFileSync(join(folder, "a.yaml"), state("maintainer"));
  writeFileSync(join(folder, "sub/empty.yaml"), "forgectl: 1\n");
  writeFileSync(join(home, "p.txt"), "acme/docs\n");
  writeFileSync(join(home, "b.ndjson"), JSON.stringify({ args: ["envs", "apply", "-f", "sf", "-p", "acme/docs"] }));
  return folder;
}

describe.each([
  ["each", "each --projects-file p.txt --journal j --yes -- envs apply -f sf"],
  ["batch", "batch b.ndjson --journal j --yes"],
])("a journal of %s whose command reads a folder", (_, line) => {
  test.each(changes)("%s: is another run's: %s", async (_what, isOther, act) => {
    const { home, run } = await sandboxSession();
    const folder = prepare(home);
    const first = await run(...line.split(" "));
    expect(first.code, first.stderr).toBe(0);
    act(folder);
    const { code, stdout, stderr } = await run(...line.split(" "));
    if (isOther) expect([code, stderr]).toEqual([2, expect.stringMatching(/another run: sf\/\S+ had other content/)]);
    else expect([code, stdout]).toEqual([0, expect.stringContaining("skipped")]);
  });
});

test("what is left of a run is not completed with another content of the folder", async () => {
  const trial = { refuses: true };
  const { home, run } = await alteringSession(({ method }) =>
    trial.refuses && method !== "GET" ? { status: 403, body: { message: "no" } } : undefined,
  );
  const folder = prepare(home);
  expect((await run(..."each --projects-file p.txt --yes -- envs apply -f sf".split(" "))).code).not.toBe(0);
  trial.refuses = false;
  const [id = ""] = readdirSync(join(home, ".local/state/forgectl/jobs"));
  writeFileSync(join(folder, "a.yaml"), state("developer"));
  const other = await run("each", "--resume", id, "--yes");
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("sf/a.yaml had other content")]);
  writeFileSync(join(folder, "a.yaml"), state("maintainer"));
  expect((await run("each", "--resume", id, "--yes")).code).toBe(0);
});

/** The line in a shell: the instance is in this process, which must not wait. */
async function shell({ home, env }: Pick<Session, "home" | "env">, line: string) {
  const words = ["-c", `"${node}" "${binary}" ${line}`];
  const ended = await promisify(execFile)("bash", words, { cwd: home, env: env as NodeJS.ProcessEnv }).catch((e) => e);
  return { code: ended.code ?? 0, stdout: String(ended.stdout), stderr: String(ended.stderr) };
}

describe.skipIf(process.platform === "win32")("a pipe of the shell", () => {
  test("has the content that a journal belongs to, and every command gets it", async () => {
    const place = await sandboxSession();
    writeFileSync(join(place.home, "p.txt"), "acme/docs\nacme/storefront\n");
    const line = "each --projects-file p.txt --journal j --yes -- files put x.md -b main -m x --from";
    const put = (text: string) => shell(place, `${line} <(echo ${text})`);
    expect((await put("first")).code).toBe(0);
    for (const project of ["acme/docs", "acme/storefront"]) {
      const { stdout } = await place.run("files", "cat", "x.md", "-p", project, "--ref", "main");
      expect(stdout).toBe("first\n");
    }
    const same = await put("first");
    expect([same.code, same.stdout.match(/skipped/g)?.length]).toEqual([0, 2]);
    const other = await put("second");
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringMatching(/another run: \/dev\/fd\/\d+ had other content/),
    ]);
  });
});
