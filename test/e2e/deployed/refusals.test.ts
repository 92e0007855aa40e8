import { expect, test } from "vitest";
import { json, signedIn } from "../../support/answering.ts";
import { sandboxSession } from "../../support/session.ts";

test("rate-limit-without-time: the next attempt is a minute later, and announced", async () => {
  const there = await signedIn((_request, response) => response.writeHead(429).end("{}"));
  const waiting = await there.run("users", "me", { kill: { signal: "SIGINT", said: /next attempt in/ } });
  expect(waiting.stderr).toMatch(/^rate limited by the instance \(429\); next attempt in 6\d s \(2 of 5\)$/m);
  expect([waiting.code, there.seen.length]).toEqual([130, 1]);
  const { code, stderr } = await there.run("users", "me", "--retries", "0");
  expect([code, stderr]).toEqual([7, expect.stringContaining("try again in about a minute")]);
});

test("a refused token is named with its source", async () => {
  const { run } = await signedIn(json(401, '{"message":"401 Unauthorized"}'));
  const { code, stderr } = await run("users", "me");
  expect([code, stderr]).toEqual([
    4,
    expect.stringContaining("401 Unauthorized; the token is that of FORGECTL_TOKEN\n"),
  ]);
});

test("rate-limit-without-time: an instance that counts per minute", async () => {
  const { run } = await sandboxSession({ asDeployed: true, as: "owner" });
  const line = "groups download -g acme --force --retries".split(" ");
  expect((await run(...line, "0")).code).toBe(0);
  const { code, stderr } = await run(...line, "0");
  expect([code, stderr]).toEqual([7, expect.stringContaining("try again in about a minute")]);
  const waiting = await run(...line, "4", { kill: { signal: "SIGINT", said: /next attempt in/ } });
  expect([waiting.code, waiting.stderr]).toEqual([
    130,
    expect.stringMatching(/^rate limited by the instance \(429\); next attempt in 6\d s \(2 of 5\)$/m),
  ]);
});
