import { expect, test } from "vitest";
import { signedIn } from "../../support/answering.ts";
import { sandboxSession } from "../../support/session.ts";

test("saml-links-401: a missing group is not a token that is not good", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const { code, stderr } = await run(..."saml links list -g no-such-group".split(" "));
  expect(code).toBe(4);
  expect(stderr).toContain(
    "the token is that of FORGECTL_TOKEN; for SAML links an instance says so too where the group",
  );
});

test("rate-limit-without-time: the next attempt is a minute away, and it is said", async () => {
  const there = await signedIn((_request, response) => response.writeHead(429).end("{}"));
  const waiting = await there.run("users", "me", { kill: { signal: "SIGINT", afterMs: 1500 } });
  expect(waiting.stderr).toMatch(/^rate limited by the instance \(429\); next attempt in 6\d s \(2 of 5\)$/m);
  expect([waiting.code, there.seen.length]).toEqual([130, 1]);
  const { code, stderr } = await there.run("users", "me", "--retries", "0");
  expect([code, stderr]).toEqual([7, expect.stringContaining("try again in about a minute")]);
});
