import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Failure } from "../../../src/base/errors.ts";
import type { Context } from "../../../src/context.ts";
import { headOf, headOfMany, stdinRemark } from "../../../src/jobs/journal-head.ts";
import { contextFor } from "../../support/context.ts";

const url = "http://127.0.0.1:1";

/** A context whose instance answers the question for the token's user so. */
function contextOf(user: () => Promise<object>, credential?: object) {
  const context = contextFor(url);
  Object.assign(context, { api: { ...context.api, call: user } });
  Object.assign(context.config, { credential: async () => credential });
  return context;
}

const fail = (exit: "unauthenticated" | "network" | "interrupted") => () => Promise.reject(new Failure(exit, "no"));
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

describe("the head of a journal", () => {
  test("names the command without its secrets, the instance, and the user", async () => {
    const context = contextOf(async () => ({ id: 7 }));
    context.conceal("hunter2");
    expect(await headOf(context, "each --token hunter2")).toEqual({
      command: expect.not.stringContaining("hunter2"),
      instance: url,
      caller: 7,
    });
  });

  test.each<[string, () => Promise<object>, object | undefined]>([
    ["a job token", async () => ({ id: 7 }), { kind: "job" }],
    ["a token that may not ask", fail("unauthenticated"), undefined],
    ["an instance that cannot be reached now", fail("network"), undefined],
    ["an answer without an ID", async () => ({ id: "7" }), undefined],
  ])("has no user for %s", async (_, user, credential) => {
    expect(await headOf(contextOf(user, credential), "prune")).toEqual({ command: "prune", instance: url });
  });

  test("is not made after Ctrl-C, nor after a bug", async () => {
    await expect(headOf(contextOf(fail("interrupted")), "prune")).rejects.toMatchObject({ exit: "interrupted" });
    const bug = () => Promise.reject(new TypeError("a bug"));
    await expect(headOf(contextOf(bug), "prune")).rejects.toThrow("a bug");
  });

  test("of no instance has an empty one", async () => {
    const context = contextOf(async () => ({ id: 7 }));
    Object.assign(context.config, { baseUrl: undefined });
    expect(await headOf(context, "prune")).toEqual({ command: "prune", instance: "", caller: 7 });
  });

  test("has the SHA-256 of each file that is read, once; what cannot be read twice is left out", async () => {
    const context = contextOf(async () => ({}));
    const large = "x".repeat(200_000);
    writeFileSync(join(context.folder, "a"), "first");
    writeFileSync(join(context.folder, "large"), large);
    mkdirSync(join(context.folder, "folder"));
    const { inputs } = await headOf(context, "each", { reads: ["a", "a", "large", "folder", "/dev/stdin", "missing"] });
    expect(inputs).toEqual({ a: sha256("first"), large: sha256(large) });
    expect(await headOf(context, "each", { reads: ["missing"] })).not.toHaveProperty("inputs");
  });

  test("of several instances has the user of each by profile, where it is known", async () => {
    const first = contextOf(async () => ({ id: 7 }));
    const second = contextOf(fail("network"));
    writeFileSync(join(first.folder, "a"), "first");
    const profiles = new Map<string, Context>([
      ["one", first],
      ["two", second],
    ]);
    expect(await headOfMany(first, profiles, "each", { reads: ["a"] })).toEqual({
      command: "each",
      instance: `${url}, ${url}`,
      callers: { one: 7 },
      inputs: { a: sha256("first") },
    });
  });
});

test.each<[reads: string[], remark: string]>([
  [[], ""],
  [["a", "/dev/null"], ""],
  [["-"], "   # with the same stdin"],
  [["/dev/stdin", "-"], "   # with the same stdin"],
  [["-", "/dev/fd/63", "/dev/fd/63", "a"], "   # with the same stdin, /dev/fd/63"],
])("a line that completes a run which reads %j ends with %j", (reads, remark) => {
  expect(stdinRemark(reads)).toBe(remark);
});
