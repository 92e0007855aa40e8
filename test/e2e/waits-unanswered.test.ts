import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Answer, json, signedIn } from "../support/answering.ts";
import { atEnd } from "../support/ending.ts";
import { exporting, wholeExport } from "../support/exporting.ts";
import { session } from "../support/session.ts";

// A wait survives errors that may be temporary. At an address that has never answered nothing is waited for.

const plain = createServer().listen(0, "127.0.0.1");
const closed = createServer().listen(0, "127.0.0.1");
await Promise.all([once(plain, "listening"), once(closed, "listening")]);
const [plainPort, closedPort] = [plain, closed].map((server) => (server.address() as AddressInfo).port);
closed.close();
atEnd(() => plain.close());

const waiting = [
  "relations pull out -p acme/x",
  "relations export -p acme/x --wait",
  "relations status -p acme/x --wait",
  "groups export -g acme --wait",
  "groups export -g acme -O saved.tar.gz",
];
const addresses: [url: string, says: RegExp][] = [
  [`https://127.0.0.1:${plainPort}`, /does not speak TLS as expected .*\n.*check that https is the right scheme/],
  [`http://127.0.0.1:${closedPort}`, /refused the connection/],
  ["http://no-such-host.invalid", /no-such-host\.invalid/],
];

describe.each(addresses)("at %s, which cannot work,", (url, says) => {
  test.concurrent.each(waiting)("%s ends at once", { timeout: 60_000 }, async (line) => {
    const { run, home } = session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: "t" });
    const { code, stderr } = await run(...line.split(" "), "--wait-timeout", "8", "--retries", "1");
    expect([code, stderr]).toEqual([11, expect.stringMatching(says)]);
    expect(stderr).not.toContain("not ready");
    expect(existsSync(join(home, "out", "manifest.json"))).toBe(false);
  });
});

describe("an address that has answered once", () => {
  const failsTwice = (answer: Answer, isFailing: () => boolean): Answer => {
    let failures = 0;
    return (request, response, origin) =>
      isFailing() && failures++ < 2 ? request.socket.destroy() : answer(request, response, origin);
  };

  test("is waited for through connections that break, once the export is scheduled", async () => {
    let isScheduled = false;
    const answer: Answer = (request, response, origin) => {
      const wasScheduled = isScheduled;
      isScheduled ||= request.method === "POST";
      if (request.method === "POST") return json(202, '{"message":"202 Accepted"}')(request, response, origin);
      return json(wasScheduled ? 200 : 404, '{"message":"404 Not Found"}')(request, response, origin);
    };
    const { run, seen } = await signedIn(failsTwice(answer, () => isScheduled));
    const { code, stderr } = await run("groups", "export", "-g", "1", "--wait", "--retries", "0");
    expect([code, stderr]).toEqual([0, expect.stringContaining("the export is scheduled")]);
    expect(seen.map((line) => line.split(" ")[0])).toEqual(["GET", "POST", "GET", "GET", "GET"]);
  });

  test("is waited for by relations status", { timeout: 60_000 }, async () => {
    const { run, state, seen } = await exporting(wholeExport(new Date(Date.now() - 3_600_000).toISOString()));
    state.other = (request) => {
      if (seen.length < 2 || seen.length > 3) return false;
      request.socket.destroy();
      return true;
    };
    const { code, stderr } = await run("relations", "status", "-p", "7", "--wait", "--retries", "0");
    expect([code, stderr]).toEqual([0, ""]);
    expect(seen.length).toBeGreaterThan(3);
  });
});
