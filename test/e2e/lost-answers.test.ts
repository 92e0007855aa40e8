import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { atEnd } from "../support/ending.ts";
import { startSandbox } from "../support/sandbox.ts";
import { session } from "../support/session.ts";

/** A sandbox behind a proxy that forwards the first change and then breaks the connection instead of answering. */
async function losingAnswers() {
  const sandbox = await startSandbox({});
  atEnd(() => sandbox.close());
  let forgotten = false;
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers, url = "" } = incoming;
    const onward = request(new URL(url, sandbox.url), { method, headers }, (answer) => {
      const forget = method !== "GET" && method !== "HEAD" && !forgotten;
      forgotten ||= forget;
      if (forget) return void answer.resume().on("end", () => outgoing.destroy());
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  atEnd(() => proxy.close());
  const { port } = proxy.address() as AddressInfo;
  return session({ FORGECTL_BASE_URL: `http://127.0.0.1:${port}`, FORGECTL_TOKEN: sandbox.tokens.administrator });
}

test("a tag whose deletion got no answer and then is not found is reported as deleted", async () => {
  const { run } = await losingAnswers();
  const { code, stderr } = await run(..."registry tags delete 12 v1.1.0 -p 7 --yes".split(" "));
  expect([code, stderr]).toEqual([0, "the answer was lost; a check shows that tag v1.1.0 is gone\n"]);
  // Without an earlier failure, not found is an error.
  const again = await run(..."registry tags delete 12 v1.1.0 -p 7 --yes".split(" "));
  expect([again.code, again.stderr]).toEqual([3, expect.not.stringContaining("was lost")]);
});

test("a bulk delete that got no answer hits the hourly limit on retry", async () => {
  const { run } = await losingAnswers();
  const { code, stderr } = await run(
    ..."registry tags prune 12 -p 7 --delete-regex nightly-.* --older-than 1d --yes".split(" "),
  );
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("error: tags may be deleted in bulk once an hour per repository"),
  ]);
  expect(stderr).toMatch(
    /; the next .* an hour after the last, which may be the one whose answer was lost\noutcome: the answer to an earlier attempt was lost, and that attempt may have made the change\n/,
  );
  expect(stderr).toContain("try:   check before you run it again: forgectl registry tags list 12 -p 7\n");
});

test("if the project itself is not found, the state of its content is unknown", async () => {
  const { run } = await losingAnswers();
  const { code, stderr } = await run(..."registry tags delete 12 v1.1.0 -p 424242 --yes".split(" "));
  expect([code, stderr]).toEqual([3, expect.stringContaining("(404 Project Not Found)")]);
});
