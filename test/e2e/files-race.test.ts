import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import type { Session } from "../support/session.ts";

/** A concurrent commit between the check of `files put` and its own commit. */
async function racing(path: string, content: string) {
  let rival: Session | undefined;
  const { run, direct, seen } = await alteringSession(async ({ method, path: sentTo }) => {
    if (method !== "HEAD" || !sentTo.includes(`/files/${path}`) || rival !== undefined) return undefined;
    rival = direct;
    const line = ["files", "put", path, "-p", "7", "-b", "main", "-m", "First", "--content", content];
    expect((await direct.run(...line)).code).toBe(0);
    return undefined;
  });
  return {
    seen,
    put: () => run(...`files put ${path} -p 7 -b main -m Second --content mine -o tsv --no-header`.split(" ")),
  };
}

test.each(["new.txt", "README.md"])(
  "files put of %s with a concurrent commit of the same content: nothing is left to do, or to take back",
  async (path) => {
    const { put, seen } = await racing(path, "mine");
    const status = path === "new.txt" ? "created" : "updated";
    const { code, stdout, stderr } = await put();
    expect([code, stdout, stderr]).toEqual([
      0,
      `${path}\tmain\t${status}\n`,
      expect.stringMatching(/^\S+ on main has this content by now: from another commit, or from this one, .*\n$/),
    ]);
    expect(seen.filter((line) => /^(?:POST|PUT) /.test(line))).toHaveLength(1);
  },
);

test.each(["new.txt", "README.md"])(
  "files put of %s, made, its answer lost, and followed by another commit: nothing says that it was not made",
  async (path) => {
    let rival = false;
    const { run, direct } = await alteringSession(async ({ method, path: sentTo }) => {
      if (!/^(?:POST|PUT)$/.test(method) || !sentTo.includes(`/files/${path}`) || rival) return undefined;
      rival = true;
      const line = ["files", "put", path, "-p", "7", "-b", "main", "-m", "Next", "--content", "theirs"];
      expect((await direct.run(...line)).code).toBe(0);
      return { status: 502, body: { message: "bad gateway" } };
    });
    const { code, stderr } = await run(
      ..."files put".split(" "),
      path,
      ..."-p 7 -b main -m x --content mine -o json".split(" "),
    );
    expect([code, JSON.parse(stderr).error]).toEqual([
      1,
      expect.objectContaining({ outcome: "unknown", retryable: false }),
    ]);
  },
);

test("files put with a concurrent commit of other content: exit 6", async () => {
  const { put } = await racing("README.md", "theirs");
  const { code, stderr } = await put();
  expect([code, stderr]).toEqual([6, expect.stringContaining("the branch moved")]);
});

test.each(["new.txt", "README.md"])("files put of %s that a proxy sends twice is not unchanged", async (path) => {
  const { run, direct } = await alteringSession(async ({ method, path: sentTo, sent, status }) => {
    if (method !== "PUT" && method !== "POST") return undefined;
    expect(status).toBeLessThan(300);
    const headers = { "content-type": "application/json", "PRIVATE-TOKEN": direct.sandbox.tokens.administrator };
    const again = await fetch(new URL(sentTo, direct.sandbox.url), { method, headers, body: JSON.stringify(sent) });
    return { status: again.status, body: await again.json() };
  });
  const { code, stdout } = await run(..."files put -p 7 -b main -m x --content mine -o json".split(" "), path);
  expect([code, JSON.parse(stdout).status]).toEqual([0, path === "new.txt" ? "created" : "updated"]);
});

test("files put where the instance does not show the mode: a file counts as not executable", async () => {
  const { run, seen } = await alteringSession(() => ({ without: ["x-service-execute-filemode"] }));
  const put = async (flag: string) => {
    seen.length = 0;
    const line = `files put README.md -p 7 -b main -m m --content mine ${flag} -o tsv --no-header`;
    const { stdout } = await run(...line.split(" "));
    return [stdout.trim().split("\t")[2], seen.filter((each) => each.startsWith("PUT ")).length];
  };
  expect(await put("--no-executable")).toEqual(["updated", 1]);
  expect(await put("--no-executable")).toEqual(["unchanged", 0]);
  expect(await put("--executable")).toEqual(["updated", 1]);
  // Whether it is so already is not known: what was asked for is sent, and refused as it changes nothing.
  expect((await put("--executable"))[1]).toBe(1);
});
