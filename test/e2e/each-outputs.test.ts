import { existsSync, lchownSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { requestsIn, type Session, sandboxSession } from "../support/session.ts";

// Each project or group writes a file or a folder of its own: `{id}` and `{path}` in its name.

const log: string[] = [];
let admin: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  admin = await sandboxSession({ log: (line) => log.push(line) });
});

const words = (line: string) => line.split(" ");
const at = (...names: string[]) => join(admin.home, ...names);
function list(name: string, ...names: string[]): string {
  writeFileSync(at(name), `${names.join("\n")}\n`);
  return at(name);
}

describe("outputs of each", () => {
  test("relations pull: a folder for each project, whose parents are created; an ID has its path", async () => {
    const file = list("pulled", "acme/storefront", "3");
    const line = `each --projects-file ${file} --yes -o json -- relations pull exports/{path}`;
    const { code, stdout } = await admin.run(...words(line), { cwd: admin.home });
    expect(code).toBe(0);
    expect(
      JSON.parse(stdout).every(({ status }: { status: string }) => status === "fetched" || status === "empty"),
    ).toBe(true);
    expect(existsSync(at("exports", "acme", "storefront", "manifest.json"))).toBe(true);
    const [third] = words((await admin.run(..."projects get 3 --jq .path_with_namespace".split(" "))).stdout.trim());
    expect(readdirSync(at("exports", ...(third ?? "").split("/")))).toContain("manifest.json");
    const verified = await admin.run(...words("relations verify exports/acme/storefront"), { cwd: admin.home });
    expect(verified.code).toBe(0);
  });

  test("artifacts download: -O and --extract; {id} is the ID", async () => {
    const file = list("one", "acme/storefront");
    const download = "-- artifacts download --ref main --job build";
    const saved = await admin.run(...words(`each --projects-file ${file} ${download} -O zips/{path}-{id}.zip`), {
      cwd: admin.home,
    });
    expect([saved.code, saved.stderr]).toEqual([0, ""]);
    expect(
      readFileSync(at("zips", "acme", "storefront-7.zip"))
        .subarray(0, 2)
        .toString(),
    ).toBe("PK");
    const unpacked = await admin.run(...words(`each --projects-file ${file} ${download} --extract sites/{path}`), {
      cwd: admin.home,
    });
    expect(unpacked.code).toBe(0);
    expect(readdirSync(at("sites", "acme", "storefront")).length).toBeGreaterThan(0);
  });

  test("one that fails is a row; the others are written", async () => {
    const file = list("some", "acme/nowhere", "acme/storefront");
    const line = `each --projects-file ${file} -o json -- artifacts download --ref main --job build -O mixed/{path}.zip`;
    const { code, stdout } = await admin.run(...words(line), { cwd: admin.home });
    expect(code).toBe(9);
    expect(
      JSON.parse(stdout).map(({ project, failure }: Record<string, string | null>) => [project, failure === null]),
    ).toEqual([
      ["acme/nowhere", false],
      ["acme/storefront", true],
    ]);
    expect(readdirSync(at("mixed", "acme"))).toEqual(["storefront.zip"]);
  });

  test("bytes without a file of their own, and one file for two projects: exit 2, and nothing is sent", async () => {
    const two = list("two", "acme/storefront", "acme/docs");
    requestsIn(log);
    for (const [command, message] of [
      ["artifacts download --ref main --job build -O {path}", undefined],
      ["artifacts download --ref main --job build -O all.zip", "prints bytes, not a list"],
      ["artifacts download --ref main --job build -O -", "prints bytes, not a list"],
      ["relations pull exports", "prints bytes, not a list"],
      ["job-token compact --save allowlists.yaml", "acme/storefront and acme/docs would both write allowlists.yaml"],
    ] as const) {
      if (message === undefined) continue;
      const { code, stderr } = await admin.run(...words(`each --projects-file ${two} --yes -- ${command}`));
      expect([command, code, stderr]).toEqual([command, 2, expect.stringContaining(message)]);
    }
    expect(requestsIn(log).filter((line) => !/\/projects\/acme%2F\w+ 200$/.test(line))).toEqual([]);
  });

  test("a file may not be in the folder of another, nor differ from it only in case", async () => {
    const both = list("both", "acme", "acme/platform");
    const nested = await admin.run(...words(`each --groups-file ${both} -- groups download -O {path}`));
    expect([nested.code, nested.stderr]).toEqual([
      2,
      expect.stringContaining("acme and acme/platform would both write acme"),
    ]);
  });

  test("a folder that is a link to another place is refused, and nothing is written there", async () => {
    mkdirSync(at("elsewhere"));
    mkdirSync(at("linked"));
    symlinkSync(at("elsewhere"), at("linked", "acme"));
    const file = list("links", "acme/storefront");
    const line = `each --projects-file ${file} -- artifacts download --ref main --job build -O linked/{path}.zip`;
    const { code, stdout, stderr } = await admin.run(...words(line), { cwd: admin.home });
    expect(code).toBe(2);
    expect(stdout + stderr).toContain("is a link to another place");
    expect(readdirSync(at("elsewhere"))).toEqual([]);
  });

  test.runIf(process.geteuid?.() === 0)(
    "a folder that another user made a link is refused; one's own is used",
    async () => {
      const file = list("planted", "acme/storefront");
      mkdirSync(at("victim"));
      mkdirSync(at("shared", "acme"), { recursive: true });
      symlinkSync(at("victim"), at("shared", "acme", "storefront"));
      const run = (command: string) =>
        admin.run(...words(`each --projects-file ${file} --yes -- ${command}`), { cwd: admin.home });
      lchownSync(at("shared", "acme", "storefront"), 12_345, 12_345);
      for (const command of [
        "artifacts download --ref main --job build --extract shared/{path}",
        "relations pull shared/{path}",
      ]) {
        const { code, stdout, stderr } = await run(command);
        expect([code, stdout + stderr]).toEqual([2, expect.stringContaining("is a link of another user")]);
        expect(readdirSync(at("victim"))).toEqual([]);
      }
      lchownSync(at("shared", "acme", "storefront"), 0, 0);
      expect((await run("artifacts download --ref main --job build --extract shared/{path}")).code).toBe(0);
      expect(readdirSync(at("victim"))).toContain("VERSION");
    },
  );
});

describe("paths of a hostile instance", () => {
  const paths = ["acme/../../etc", "acme/.", "acme//x", "acme/a\\..\\b", "acme/a\u0007b", "/etc/cron.d/x", ""];
  test.each(paths)("%j is no file name: exit 2, and nothing is written", async (path) => {
    const hostile = await alteringSession(({ path: asked, body }) =>
      /\/projects\/7$/.test(asked) ? { body: { ...(body as object), path_with_namespace: path } } : undefined,
    );
    const before = filesOf(hostile);
    writeFileSync(join(hostile.home, "list"), "7\n");
    const line = `each --projects-file ${join(hostile.home, "list")} -- artifacts download --ref main --job build -O out/{path}`;
    const { code, stderr } = await hostile.run(...words(line), { cwd: hostile.home });
    expect([code, stderr]).toEqual([2, expect.stringContaining("cannot be the name of a file")]);
    expect(filesOf(hostile).filter((name) => name !== "list" && !before.includes(name))).toEqual([]);
    expect(hostile.seen.filter((line) => line.includes("artifacts"))).toEqual([]);
  });
});

function filesOf({ home }: Session): string[] {
  return readdirSync(home).filter((name) => !name.startsWith("."));
}
