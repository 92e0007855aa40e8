import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, test } from "vitest";
import { binary, node, sandboxSession } from "../support/session.ts";

// Stdin, and what a shell passes with `<(command)`, have their content once; every command of `each` gets all of it.

let place: Awaited<ReturnType<typeof sandboxSession>>;
beforeEach(async () => {
  place = await sandboxSession();
  writeFileSync(join(place.home, "p.txt"), "acme/storefront\nacme/docs\nacme/website\n");
});

const put = "files put README.md -b main -m x --from".split(" ");
const readmes = async () => {
  const texts = ["acme/storefront", "acme/docs", "acme/website"].map(async (project) => {
    const { stdout } = await place.run("files", "cat", "README.md", "-p", project, "--ref", "main");
    return stdout.slice(0, 12);
  });
  return Promise.all(texts);
};
const each = (...words: string[]) => ["each", "--projects-file", "p.txt", "--yes", ...words];

describe("each", () => {
  test.each(["-", "/dev/stdin"])(
    "a file from %s is that of every project, not an empty one for all but the first",
    async (from) => {
      const { code } = await place.run(...each("--", ...put, from), { input: "new content\n", asProcess: true });
      expect([code, await readmes()]).toEqual([0, Array(3).fill("new content\n")]);
    },
  );

  test("a file from a pipe of the shell is that of every project", async () => {
    const words = each("--", ...put).join(" ");
    await promisify(execFile)("bash", ["-c", `"${node}" "${binary}" ${words} <(echo "new content")`], {
      cwd: place.home,
      env: place.env,
    });
    expect(await readmes()).toEqual(Array(3).fill("new content\n"));
  });

  test("stdin that has the list has no content besides, and nothing is sent", async () => {
    const before = await readmes();
    const line = ["each", "--projects-file", "-", "--yes", "--", ...put];
    for (const from of ["-", "/dev/stdin"]) {
      const { code, stderr } = await place.run(...line, from, { input: "acme/docs\nacme/website\n", asProcess: true });
      expect([code, stderr]).toEqual([2, expect.stringContaining("stdin has been read already")]);
    }
    expect(await readmes()).toEqual(before);
  });

  test("a run is completed only with the same stdin, and the line for it says so", async () => {
    writeFileSync(join(place.home, "p.txt"), "acme/storefront\nno/such\n");
    const first = await place.run(...each("-o", "json", "--", ...put, "-"), { input: "one\n" });
    const { hint } = JSON.parse(first.stderr.trim().split("\n").at(-1) ?? "").error;
    expect(hint).toMatch(/^forgectl each --resume \S+ --yes {3}# with the same stdin$/);
    const again = hint.split(" ").slice(1, 5) as string[];
    for (const input of ["", "two\n"]) {
      const { code, stderr } = await place.run(...again, { input });
      expect([code, stderr]).toEqual([2, expect.stringContaining("stdin had other content")]);
    }
    const { code, stdout } = await place.run("--no-header", ...again, { input: "one\n" });
    expect([code, stdout.split("\t")[1]]).toEqual([9, "skipped"]);
  });
});

test("batch: a line reads stdin, two lines read the same, and none does if the lines come from there", async () => {
  const lines = ["a", "b"].map((body) => ({
    args: ["notes", "create", "-p", "7", "--issue", "1", "--body-file", "-"],
    id: body,
  }));
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  writeFileSync(join(place.home, "b.ndjson"), text);
  const ran = await place.run("batch", "b.ndjson", "-o", "json", { input: "advice" });
  expect([ran.code, JSON.parse(ran.stdout)]).toEqual([
    0,
    [0, 1].map(() => expect.objectContaining({ result: expect.objectContaining({ body: "advice" }) })),
  ]);
  const none = await place.run("batch", "-", { input: text });
  expect([none.code, none.stdout, none.stderr]).toEqual([
    2,
    "",
    expect.stringContaining("stdin has been read already"),
  ]);
});

test.runIf(process.platform !== "win32")("a folder as stdin is refused: it was read as an empty file", async () => {
  const line = `"${node}" "${binary}" ${put.join(" ")} - -p 7 < .`;
  const ended = await promisify(execFile)("bash", ["-c", line], { cwd: place.home, env: place.env }).catch((e) => e);
  expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining("stdin is a folder")]);
});

test("two parameters of one command cannot both be stdin: the second was empty", async () => {
  const { code, stderr } = await place.run(..."api projects -F name=@- -F path=@- --dry-run".split(" "), {
    input: "x",
  });
  expect([code, stderr]).toEqual([2, expect.stringContaining("stdin has been read already")]);
});
