import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { FaultSpecError, parseFault } from "../../src/sandbox/index.ts";
import { openSession, type Session } from "./session.ts";

let session: Session | undefined;
afterEach(() => session?.sandbox.close());

async function withFaults(faults: string): Promise<Session> {
  session = await openSession({ faults });
  return session;
}

const timed = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
  const started = performance.now();
  return [await work(), performance.now() - started];
};

describe("a spec", () => {
  test.each([
    ["503", [{ action: { kind: "status", status: 503 }, count: 1 }]],
    ["GET /users=503*2", [{ method: "GET", path: "/users", action: { kind: "status", status: 503 }, count: 2 }]],
    ["post=reset", [{ method: "POST", action: { kind: "reset" }, count: 1 }]],
    [
      "/projects/*/events = truncate * always",
      [{ path: "/projects/*/events", action: { kind: "truncate" }, count: Number.POSITIVE_INFINITY }],
    ],
    [
      "429:retry-after=1; slow:ms=50",
      [
        { action: { kind: "status", status: 429, retryAfter: "1" }, count: 1 },
        { action: { kind: "slow", ms: 50 }, count: 1 },
      ],
    ],
    [
      "redirect:status=301,to=http://[::1]:8080/a?b=c*3",
      [{ action: { kind: "redirect", status: 301, to: "http://[::1]:8080/a?b=c" }, count: 3 }],
    ],
    ["", []],
  ])("%s", (text, specs) => {
    expect(parseFault(text)).toEqual(specs);
  });

  test.each([
    ["explode", /"explode" .*use a status from 400 to 599, reset, hang/],
    ["GET /users=200", /"200" in "GET \/users=200" is not an action/],
    ["GET users=503", /is not a fault: write \[METHOD\] \[PATH\]/],
    ["FETCH /users=503", /"FETCH" .* is not a method: use one of GET, HEAD/],
    ["503*0", /count in "503\*0" must be at least 1/],
    ["503*many", /not a fault|not an action/],
    ["reset:ms=1", /"ms" in "reset:ms=1" is not an option of reset: it takes no options/],
    ["delay:ms=soon", /ms in "delay:ms=soon" must be a whole number/],
    ["delay:100", /"100" .* is not an option: write name=value/],
    ["redirect", /needs its address: redirect:to=URL/],
  ])("%s is refused with an explanation", (text, message) => {
    expect(() => parseFault(text)).toThrow(FaultSpecError);
    expect(() => parseFault(text)).toThrow(message);
  });

  test("that is invalid prevents the sandbox from starting", async () => {
    await expect(openSession({ faults: "explode" })).rejects.toThrow(FaultSpecError);
  });
});

describe("a fault", () => {
  test("applies as often as specified, and only to matching requests", async () => {
    const { ask } = await withFaults("GET /users=503*2");
    const statuses = [];
    for (const request of ["GET /user", "GET /users", "GET /users/1", "GET /users?page=2", "GET /users"]) {
      statuses.push((await ask(request)).status);
    }
    expect(statuses).toEqual([200, 503, 200, 503, 200]);
  });

  test("applies in the given order", async () => {
    const { ask } = await withFaults("500; GET /**=429:retry-after=7; 502*2");
    const answers = [];
    for (let i = 0; i < 5; i += 1) answers.push(await ask("GET /user"));
    expect(answers.map((answer) => answer.status)).toEqual([500, 429, 502, 502, 200]);
    expect(answers[1]?.headers.get("retry-after")).toBe("7");
    expect(answers[0]?.json).toEqual({ message: "500 Internal Server Error" });
  });

  test("instead of an answer leaves the sandbox unchanged", async () => {
    const { ask } = await withFaults("PUT /application/settings=503");
    const change = () => ask("PUT /application/settings", { json: { max_attachment_size: 5 } });
    const size = async () => (await ask("GET /application/settings")).json.max_attachment_size;
    const before = await size();
    expect((await change()).status).toBe(503);
    expect(await size()).toBe(before);
    expect((await change()).status).toBe(200);
    expect(await size()).toBe(5);
  });

  test("reset breaks the connection", async () => {
    const { ask } = await withFaults("reset");
    await expect(ask("GET /user")).rejects.toThrow();
    expect((await ask("GET /user")).status).toBe(200);
  });

  test("truncate announces more than it sends", async () => {
    const { ask, sandbox } = await withFaults("truncate*2");
    await expect(ask("GET /users")).rejects.toThrow();
    const response = await fetch(`${sandbox.url}/api/v4/users`, {
      headers: { "private-token": sandbox.tokens.administrator },
    });
    let got = 0;
    const read = async () => {
      for await (const chunk of response.body ?? []) got += chunk.length;
    };
    await expect(read()).rejects.toThrow();
    expect(got).toBe(Math.floor(Number(response.headers.get("content-length")) / 2));
  });

  test("html is a page where JSON is expected", async () => {
    const { ask } = await withFaults("html; html:status=200");
    const [bad, fine] = [await ask("GET /user"), await ask("GET /user")];
    expect([bad.status, fine.status]).toEqual([502, 200]);
    expect([fine.headers.get("content-type"), fine.text]).toEqual([
      "text/html; charset=utf-8",
      expect.stringContaining("<html>"),
    ]);
  });

  test("redirect goes to the given address", async () => {
    const { ask } = await withFaults("redirect:to=http://127.0.0.1:1/elsewhere");
    const answer = await ask("GET /user");
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "http://127.0.0.1:1/elsewhere"]);
  });

  test("delay and slow take time and change nothing else", async () => {
    const { ask } = await withFaults("delay:ms=150; slow:ms=150");
    for (let i = 0; i < 2; i += 1) {
      const [answer, ms] = await timed(() => ask("GET /user"));
      expect([answer.status, answer.json.username]).toEqual([200, "root"]);
      expect(ms).toBeGreaterThan(140);
    }
  });

  test("hang never answers, and does not prevent the sandbox from closing", async () => {
    const { ask, sandbox } = await withFaults("hang");
    const hanging = ask("GET /user");
    hanging.catch(() => {});
    await sleep(50);
    const [, ms] = await timed(() => sandbox.close());
    expect(ms).toBeLessThan(2000);
    await expect(hanging).rejects.toThrow();
  });
});

test("latency delays every answer", async () => {
  session = await openSession({ latencyMs: 80 });
  for (const path of ["/user", "/nothing"]) {
    const [, ms] = await timed(() => (session as Session).ask(`GET ${path}`));
    expect(ms).toBeGreaterThan(75);
  }
});
