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
  "files put of %s with a concurrent commit of the same content: nothing is left to do",
  async (path) => {
    const { put, seen } = await racing(path, "mine");
    expect(await put()).toEqual({ code: 0, stdout: `${path}\tmain\tunchanged\n`, stderr: "" });
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
