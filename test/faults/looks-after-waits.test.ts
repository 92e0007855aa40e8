import { describe, expect, test } from "vitest";
import { Failure } from "../../src/base/errors.ts";
import { client, failureOf, freePort, serve } from "./support.ts";

// The look that a caller takes before a change is taken again after each wait, right before the change is sent.

type Reply = readonly [status: number, headers?: Readonly<Record<string, string>>] | "lost";

/** A server with these answers to changes, the last of which stays; reads are answered with 200. */
function answering(...replies: Reply[]) {
  return serve(({ method, socket }, response) => {
    if (method === "GET") return response.end("{}");
    const reply = (replies.length > 1 ? replies.shift() : replies[0]) ?? [200];
    if (reply === "lost") return socket.destroy();
    response.writeHead(reply[0], { ...reply[1] }).end("{}");
  });
}

const limited: Reply = [429, { "retry-after": "7" }];
const stale = new Failure("conflict", "it has changed", { code: "stale" });

/** Answers the first request to each of these paths with 429. */
function limitingFirst(paths: RegExp) {
  const known = new Set<string>();
  return serve(({ url = "" }, response) => {
    const isLimited = paths.test(url) && !known.has(url);
    known.add(url);
    response.writeHead(isLimited ? 429 : 200, isLimited ? { "retry-after": "1.1" } : {}).end();
  });
}

/** A client whose waits take their time; `waited` resolves once as many have begun. */
async function waitingClient() {
  let begun = 0;
  const own = await client({
    announce: () => {
      begun += 1;
    },
    sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
  });
  const waited = async (count: number) => {
    while (begun < count) await new Promise((done) => setTimeout(done, 5));
  };
  return { ...own, waited };
}

describe("a look", () => {
  test.each<[name: string, method: string, replies: Reply[], lines: string]>([
    ["is not taken without a wait", "POST", [[200]], "POST"],
    ["is taken after each wait", "POST", [limited, limited, [200]], "POST GET POST GET POST"],
    ["is not taken after a short wait", "PUT", [[429, { "retry-after": "1" }], [200]], "PUT PUT"],
    ["is not taken once the change may have been made: a lost answer", "PUT", ["lost", limited, [200]], "PUT PUT PUT"],
    ["is not taken once a proxy has answered", "DELETE", [[502], limited, [204]], "DELETE DELETE DELETE"],
    [
      "is not taken after an error of the server",
      "PUT",
      [[503, { "retry-after": "7" }], limited, [200]],
      "PUT PUT PUT",
    ],
  ])("%s", async (_, method, replies, lines) => {
    const server = await answering(...replies);
    const { send } = await client();
    const afterWait = () => send("GET", `${server.url}/look`);
    expect((await send(method, `${server.url}/change`, { afterWait })).status).toBeLessThan(300);
    expect(server.seen.map((each) => each.method).join(" ")).toBe(lines);
  });

  test("that throws is the end: nothing more is sent, and its error is that of the change", async () => {
    const server = await answering(limited, [200]);
    const { send } = await client();
    const afterWait = () => Promise.reject(stale);
    const failure = await failureOf(send("POST", server.url, { afterWait, once: true }));
    expect([failure, failure.details.outcome, server.lines()]).toEqual([stale, undefined, ["POST /"]]);
  });

  test("is taken after the wait of another request, too", async () => {
    const server = await limitingFirst(/first/);
    const { send, waited } = await waitingClient();
    const first = send("GET", `${server.url}/first`);
    await waited(1);
    const afterWait = () => send("GET", `${server.url}/look`);
    await Promise.all([first, send("POST", `${server.url}/second`, { afterWait })]);
    const lines = server.lines().filter((line) => !line.endsWith("/first"));
    expect(lines).toEqual(["GET /look", "POST /second"]);
  });

  test("waits itself if it must, and is not taken again for that", async () => {
    let looks = 0;
    const server = await serve(({ method, url }, response) => {
      const isLimited = (url === "/look" && looks++ === 0) || (method === "POST" && server.seen.length === 1);
      response.writeHead(isLimited ? 429 : 200, isLimited ? { "retry-after": "7" } : {}).end();
    });
    const { send, waits } = await client();
    const afterWait = () => send("GET", `${server.url}/look`);
    expect((await send("POST", server.url, { afterWait })).status).toBe(200);
    expect([server.lines(), waits]).toEqual([
      ["POST /", "GET /look", "GET /look", "POST /"],
      [7000, 7000],
    ]);
  });

  test("that is followed by the wait of another one again and again is taken three times", async () => {
    const server = await limitingFirst(/change|other/);
    const { send, waited } = await waitingClient();
    const others: Promise<unknown>[] = [];
    const afterWait = async () => {
      others.push(send("GET", `${server.url}/other${others.length}`));
      await waited(1 + others.length);
    };
    expect((await send("POST", `${server.url}/change`, { afterWait })).status).toBe(200);
    await Promise.all(others);
    expect(others).toHaveLength(3);
  });

  test("is taken after a wait for an instance that could not be reached: nothing was sent", async () => {
    const port = await freePort();
    const { send } = await client({ retries: 3 });
    let looks = 0;
    const afterWait = async () => {
      looks += 1;
    };
    const failure = await failureOf(send("POST", `http://127.0.0.1:${port}/`, { afterWait }));
    expect([failure.exit, failure.details.outcome, looks]).toEqual(["network", undefined, 1]);
  });
});
