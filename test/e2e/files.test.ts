import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { requestsIn, sandboxSession } from "../support/session.ts";

type Session = Awaited<ReturnType<typeof sandboxSession>>;

const log: string[] = [];
let dev: Session;
beforeAll(async () => {
  dev = await sandboxSession({ as: "developer", log: (line) => log.push(line) });
});

/** Words are divided at spaces; `_` in a word represents one. */
const words = (line: string) => line.split(" ").map((word) => word.replaceAll("_", " "));
const run = (line: string) => dev.run(...words(line));
const json = async (line: string) => JSON.parse((await run(`${line} -o json`)).stdout);
const requests = () => requestsIn(log);
const at = (path: string) => `/api/v4/projects/7/repository/files/${encodeURIComponent(path)}`;
const home = (name: string) => join(dev.home, name);

describe("files get, stat, cat", () => {
  test("get shows the metadata of a file; the content is only in JSON", async () => {
    const { stdout } = await run("files get README.md -p acme/storefront --ref main");
    const [header = "", row = ""] = stdout.split("\n");
    expect(header.split("\t")).toEqual([
      "file_name",
      "file_path",
      "size",
      "encoding",
      "content_sha256",
      "ref",
      "blob_id",
      "commit_id",
      "last_commit_id",
      "execute_filemode",
    ]);
    expect(row).toMatch(/^README\.md\tREADME\.md\t94\tbase64\t[0-9a-f]{64}\tmain\t/);
    const file = await json("files get README.md -p 7 --ref main");
    expect(Buffer.from(file.content, "base64").toString()).toMatch(/^# Storefront\n/);
  });

  test("stat uses HEAD, on the path in the flags", async () => {
    requests();
    const stat = await json("files stat scripts/deploy.sh -p 7 --ref main");
    expect(stat).toMatchObject({ file_path: "scripts/deploy.sh", size: 71, execute_filemode: true });
    expect(await json("files stat scripts/deploy.sh -p 7 --ref main --blame")).toEqual(stat);
    expect(await json("files stat scripts/deploy.sh -p 7 --ref main --raw")).toEqual(stat);
    const path = at("scripts/deploy.sh");
    expect(requests()).toEqual([`HEAD ${path} 200`, `HEAD ${path}/blame 200`, `HEAD ${path}/raw 200`]);
    const traced = async (line: string) => {
      const { stdout, stderr } = await run(`${line} -o json --debug`);
      expect(JSON.parse(stdout)).toMatchObject({ blob_id: stat.blob_id });
      return /--> HEAD \S+\/(\S+)/.exec(stderr)?.[1];
    };
    expect(await traced("files stat scripts/deploy.sh -p 7 --ref main --blame --lines 1-2")).toBe(
      "blame?ref=main&range%5Bstart%5D=1&range%5Bend%5D=2",
    );
    expect(await traced("files stat scripts/deploy.sh -p 7 --raw --lfs")).toBe("raw?lfs=true");
    requests();
    for (const flags of ["--ref main --blame --raw", "--blame", "", "--ref main --lines 1-2", "--ref main --lfs"]) {
      expect((await run(`files stat a -p 7 ${flags}`.trim())).code).toBe(2);
    }
    expect(requests()).toEqual([]);
  });

  test("non-ASCII names work in headers too", async () => {
    expect(await json("files stat docs/prices_in_€.md -p 7 --ref main")).toMatchObject({
      file_name: "prices in €.md",
      file_path: "docs/prices in €.md",
    });
  });

  test("cat prints the unchanged bytes, of any ref", async () => {
    expect((await run("files cat CHANGELOG.md -p 7 --ref v1.0.0")).stdout).toBe(
      "# Changes\n\n## 1.0.0\n\n- First release\n",
    );
    expect((await run("files cat src/checkout.ts -p 7 --ref feature/checkout")).code).toBe(0);
    expect((await run("files cat src/checkout.ts -p 7")).code).toBe(3);
  });

  test("a public project needs no token, a hidden one is not found", async () => {
    const anonymous = { env: { FORGECTL_TOKEN: undefined } };
    expect((await dev.run(..."files cat README.md -p 7".split(" "), anonymous)).code).toBe(0);
    const hidden = await dev.run(..."files cat README.md -p acme/platform/billing".split(" "), anonymous);
    expect([hidden.code, hidden.stderr]).toEqual([
      3,
      expect.stringContaining("try:   sign in with forgectl auth login"),
    ]);
    expect((await dev.as("outsider").run(..."files cat README.md -p acme/platform/billing".split(" "))).code).toBe(3);
  });

  test("the former path of a moved project works for reads", async () => {
    expect((await run("files cat CHANGELOG.md -p acme/shop --ref v1.0.0")).code).toBe(0);
    const { code, stderr } = await run("files create x.md -p acme/shop -b main -m x --content x");
    expect([code, stderr]).toEqual([1, expect.stringContaining("the request was redirected to http://")]);
  });
});

describe("files blame", () => {
  test("one row per run of lines from one commit", async () => {
    const rows = await json("files blame src/cart.ts -p 7 --ref main");
    expect(rows.map((row: Record<string, unknown>) => [row.first_line, row.last_line])).toEqual([
      [1, 10],
      [11, 12],
      [13, 14],
    ]);
    expect(rows[1]).toMatchObject({
      commit: { author_name: "Dana Dixon", message: "Count items, and give a discount" },
    });
    expect(rows[1].lines[1]).toBe("    return sum > 10_000 ? Math.round(sum * 0.95) : sum;");
    const part = await json("files blame src/cart.ts -p 7 --ref main --lines 12-13");
    expect(part.map((row: Record<string, unknown>) => [row.first_line, row.lines])).toEqual([
      [12, ["    return sum > 10_000 ? Math.round(sum * 0.95) : sum;"]],
      [13, ["  }"]],
    ]);
  });

  test.each(["20-10", "0-3", "a-b", "3-", "1-2-3", "-1"])(
    "--lines %s is refused before anything is sent",
    async (lines) => {
      requests();
      const { code, stderr } = await dev.run(
        "files",
        "blame",
        "README.md",
        "-p",
        "7",
        "--ref",
        "main",
        `--lines=${lines}`,
      );
      expect(code).toBe(2);
      expect(stderr).toBe(
        `error: --lines: must be two line numbers such as 3-5, the smaller one first, not "${lines}"\n` +
          "see:   forgectl files blame --help\n",
      );
      expect(requests()).toEqual([]);
    },
  );
});

test.each(["../x", "a/../b", "a/./b", "./../a", ".//a", "/etc/passwd", "a//b", "a/"])(
  "the path %s is refused before anything is sent",
  async (path) => {
    requests();
    for (const verb of ["cat", "download", "get --ref main", "stat --ref main", "blame --ref main"]) {
      expect((await dev.run("files", ...verb.split(" "), path, "-p", "7")).code).toBe(2);
    }
    for (const verb of ["create", "update", "put"]) {
      const { code, stderr } = await dev.run("files", verb, path, ..."-p 7 -b main -m x --content x".split(" "));
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(
          `must be a path from the repository's root, without a leading slash, empty segments, . and .., not "`,
        ),
      ]);
    }
    expect((await dev.run("files", "delete", path, ..."-p 7 -b main -m x -y".split(" "))).code).toBe(2);
    expect(requests()).toEqual([]);
  },
);

describe("files download", () => {
  test("saves under the file's own name, checked against its SHA-256", async () => {
    const { stdout } = await run("files download assets/logo.png -p 7");
    const saved = readFileSync(home("logo.png"));
    const digest = createHash("sha256").update(saved).digest("hex");
    expect(stdout).toBe(`file\tsize\tsha256\nlogo.png\t${saved.length}\t${digest}\n`);
  });

  test("content in large file storage is checked against its pointer", async () => {
    const pointer = (await run("files cat assets/hero.psd -p 7")).stdout;
    const saved = await json("files download assets/hero.psd -p 7 --lfs -O hero.psd");
    expect(pointer).toContain(`oid sha256:${saved.sha256}\nsize ${saved.size}\n`);
    expect(
      createHash("sha256")
        .update(readFileSync(home("hero.psd")))
        .digest("hex"),
    ).toBe(saved.sha256);
    expect(await json("files download README.md -p 7 --lfs -O readme")).toMatchObject({ size: 94 });
  });
});
