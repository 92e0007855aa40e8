import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { requestsIn, sandboxSession } from "../support/session.ts";

describe("commands that save a file", async () => {
  const log: string[] = [];
  const { run, home, sandbox } = await sandboxSession({ log: (line) => log.push(line) });
  const at = (name: string) => join(home, name);
  const type = (line: string) => run(...line.split(" "));
  const secret = "6e173ac296917f04694ac02bf691a741";

  test.each([
    ["files download docs/guide.md -p 7", "guide.md", "GET", "projects/7/repository/files/docs%2Fguide.md/raw"],
    ["artifacts download -p 7 --job-id 1000", "artifacts.zip", "GET", "projects/7/jobs/1000/artifacts"],
    ["groups download -g acme", "acme-export.tar.gz", "GET", "groups/acme/export/download"],
    [
      "relations download labels -p acme/platform/gateway",
      "labels.ndjson.gz",
      "GET",
      "projects/acme%2Fplatform%2Fgateway/export_relations/download?relation=labels",
    ],
    [
      `uploads download ${secret}/logo.png -p 7`,
      "logo.png, unless the server names it",
      "GET",
      `projects/7/uploads/${secret}/logo.png`,
    ],
  ])("%s -n shows the request and the file, and creates neither", async (line, file, method, path) => {
    log.splice(0);
    const { code, stdout, stderr } = await type(`${line} -n -o json`);
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toEqual([{ method, url: `${sandbox.url}/api/v4/${path}`, body: null, file }]);
    expect([requestsIn(log), readdirSync(home)]).toEqual([[], []]);
  });

  test.each([
    ["files download README.md -p 7", "README.md", true],
    ["artifacts download -p 7 --job-id 1000", "artifacts.zip", true],
    [`uploads download ${secret}/logo.png -p 7`, "logo.png", false],
    ["relations download labels -p acme/platform/gateway", "labels.ndjson.gz", true],
    ["groups download -g acme", "acme-export.tar.gz", true],
  ])("%s replaces an existing file only with -O or --force", async (line, name, before) => {
    writeFileSync(at(name), "precious");
    log.splice(0);
    const refused = await type(line);
    expect([refused.code, refused.stdout, refused.stderr.split("\n")[0]]).toEqual([
      2,
      "",
      `error: ${name} already exists`,
    ]);
    expect(refused.stderr).toContain("\ntry:   name another file with -O <file>, or replace this one with --force\n");
    if (before) expect(requestsIn(log)).toEqual([]);
    expect((await type(`${line} -n`)).code).toBe(before ? 2 : 0);
    expect(readFileSync(at(name), "utf8")).toBe("precious");
    expect((await type(`${line} --force`)).code).toBe(0);
    expect(readFileSync(at(name), "utf8")).not.toBe("precious");
    writeFileSync(at(name), "old");
    expect((await type(`${line} -O ${name}`)).code).toBe(0);
    expect(readFileSync(at(name), "utf8")).not.toBe("old");
  });

  test.each([
    ["files download README.md -p 7 -O", "README.md"],
    ["artifacts download -p 7 --job-id 1000 -O", "artifacts.zip"],
    ["artifacts download -p 7 --job-id 1000 --extract", "site"],
    ["groups download -g acme -O", "acme.tar.gz"],
    ["relations pull -p 3", "gateway"],
    ["state export -p 7 -O", "forge.yaml"],
    ["settings export -O", "settings.yaml"],
    ["settings audit --fix-file", "fix.yaml"],
    ["settings audit --report sarif=", "settings.sarif"],
    ["registry prune -p 7 --delete-regex nightly-.* --save", "prune.json"],
    ["errors keys rotate 1 -p 7 --yes --dsn-file", "dsn.txt"],
    ["each --projects-file one.txt --yes --journal", "limit.journal"],
  ])("%s creates missing folders, but none for a dry run", async (line, name) => {
    writeFileSync(at("one.txt"), "acme/docs\n");
    const folder = `${line.split(" ").slice(0, 3).join("-").replaceAll("/", "-")}${line.length}`;
    const path = `${folder}/deep/${name}`;
    const words = (line.endsWith("=") ? `${line}${path}` : `${line} ${path}`).split(" ");
    const rest = line.startsWith("each") ? ["--", "job-token", "limit", "on"] : [];
    const changes = /^(?:artifacts|files|groups|relations|registry|errors|each)/.test(line);
    if (changes) expect(await run(...words, "-n", ...rest)).toMatchObject({ code: 0 });
    expect(existsSync(at(folder))).toBe(false);
    expect(await run(...words, ...rest)).toMatchObject({ code: 0 });
    expect(existsSync(at(path))).toBe(true);
  });

  test("a download that is refused leaves no folder behind", async () => {
    expect((await type("files download none.md -p 7 -O absent/none.md")).code).toBe(3);
    expect((await type("artifacts download -p 7 --job-id 9 --extract absent/deep/site")).code).toBe(3);
    expect(existsSync(at("absent"))).toBe(false);
  });

  test("artifacts download --extract -n shows the folder", async () => {
    const { code, stdout } = await type("artifacts download -p 7 --job-id 1000 --extract site -n --jq .[].file");
    expect([code, stdout, readdirSync(home).includes("site")]).toEqual([0, "site\n", false]);
  });

  test("-O /dev/stdout is stdout: only the bytes", async () => {
    const { stdout } = await type("files download README.md -p 7 -O -");
    expect(await type("files download README.md -p 7 -O /dev/stdout")).toEqual({ code: 0, stdout, stderr: "" });
  });

  test("a file that cannot be opened is exit 2 with the system's reason", async () => {
    const long = "n".repeat(300);
    log.splice(0);
    for (const line of [
      `files download README.md -p 7 -O ${long}`,
      `uploads create ${long} -p 7`,
      `groups import ${long} --name A --path a`,
      `artifacts download -p 7 --job-id 1000 --extract ${long}`,
      `api user --input ${long}`,
      `users me --ca-file ${long}`,
    ]) {
      const { code, stdout, stderr } = await type(line);
      expect([line, code, stdout, stderr.slice(0, 7)]).toEqual([line, 2, "", "error: "]);
      if (!line.includes("--ca-file")) expect(stderr).toContain("cause: ENAMETOOLONG");
    }
    expect(requestsIn(log)).toEqual([]);
  });
});
