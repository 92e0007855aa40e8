import { describe, expect, test } from "vitest";
import { bodyOf, client, failureOf, serve, textOf, withToken } from "./support.ts";

function redirecting(to: (path: string) => string | undefined, status = 302) {
  return serve((request, response) => {
    const location = to(request.url ?? "");
    if (location === undefined) return response.end("here");
    response.writeHead(status, { location }).end("elsewhere");
  });
}

describe("redirects of GET and HEAD", () => {
  test.each([301, 302, 303, 307, 308])("%i within the origin keeps the token", async (status) => {
    const server = await redirecting((path) => (path === "/a" ? "/b?x=1" : undefined), status);
    const { send } = await client();
    const response = await send("GET", `${server.url}/a`, withToken);
    expect([response.url, await textOf(response)]).toEqual([`${server.url}/b?x=1`, "here"]);
    expect(server.lines()).toEqual(["GET /a", "GET /b?x=1"]);
    expect(server.seen[1]?.headers["private-token"]).toBe("s3cret-token");
  });

  test("another origin does not see the token or other headers, not even on the way back", async () => {
    const other = await redirecting((path) => (path.startsWith("/back") ? `${home.url}/end` : undefined));
    const home = await redirecting((path) =>
      path === "/end" ? undefined : `${other.url}${path}?private_token=s3cret&job_token=s3cret`,
    );
    const { send, trace } = await client();
    const more = { ...withToken, headers: { ...withToken.headers, range: "bytes=3-", cookie: "a=b" } };
    expect(await textOf(await send("GET", `${home.url}/file`, more))).toBe("here");
    expect(other.lines()).toEqual(["GET /file"]);
    const seen = { ...other.seen[0]?.headers };
    expect(Object.keys(seen).sort()).toEqual(["accept", "connection", "host", "range", "user-agent"]);

    expect(await textOf(await send("GET", `${home.url}/back`, withToken))).toBe("here");
    expect(home.lines()).toEqual(["GET /file", "GET /back", "GET /end"]);
    expect(home.seen[2]?.headers["private-token"]).toBeUndefined();
    expect(trace.join("\n")).not.toContain("s3cret");
  });

  test.each([
    ["/v2/other/x", undefined],
    ["/v2/forgery/x", undefined],
    ["/v2/forge/../other/x", undefined],
    ["/v2/forge%2f../x", undefined],
    ["/v2/forge/uploads/x", "s3cret-token"],
    ["/v2/forge", "s3cret-token"],
  ])("from an instance below a path to %s of the same origin", async (to, token) => {
    const server = await redirecting((path) => (path === "/v2/forge/jwt/auth" ? to : undefined));
    const { send } = await client();
    await textOf(await send("GET", `${server.url}/v2/forge/jwt/auth`, { ...withToken, root: "/v2/forge" }));
    expect(server.seen).toHaveLength(2);
    expect(server.seen[1]?.headers["private-token"]).toBe(token);
  });

  test("a loop, and too many redirects", async () => {
    const loop = await redirecting((path) => (path === "/a" ? "/b" : "/a"));
    const { send } = await client();
    const circle = await failureOf(send("GET", `${loop.url}/a`));
    expect([circle.exit, circle.code]).toEqual(["refused", "redirect_loop"]);
    expect(loop.lines()).toEqual(["GET /a", "GET /b"]);

    const chain = await redirecting((path) => `${path}x`);
    const long = await failureOf(send("GET", `${chain.url}/a`));
    expect([long.exit, long.code]).toEqual(["refused", "too_many_redirects"]);
    expect(chain.seen).toHaveLength(6);
  });

  test("an answer without a location, 304, and 300 are returned as they are", async () => {
    const { send } = await client();
    for (const [status, headers] of [
      [302, {}],
      [304, { location: "/b" }],
      [300, { location: "/b" }],
    ] as const) {
      const server = await serve((_request, response) => response.writeHead(status, headers).end());
      expect((await send("GET", server.url)).status).toBe(status);
      expect(server.seen).toHaveLength(1);
    }
  });

  test.each(["http://", "ftp://127.0.0.1/x", "file:///etc/passwd"])("to %s is refused", async (location) => {
    const server = await redirecting(() => location);
    const { send } = await client();
    expect((await failureOf(send("GET", server.url))).exit).toBe("refused");
    expect(server.seen).toHaveLength(1);
  });
});

test("to a host that does not exist: the error names the redirecting host", async () => {
  const server = await redirecting(() => "http://no-such-host.invalid/file");
  const { send } = await client({ retries: 0 });
  const failure = await failureOf(send("GET", server.url));
  expect(failure.message).toContain("no-such-host.invalid");
  expect(failure.details.reason).toBe(`127.0.0.1:${server.port} redirected the request to it`);
  expect(failure.details.hint ?? "").not.toContain("base URL");
});

test("an address that is not the base URL is named correctly", async () => {
  const { send } = await client({ retries: 0 });
  const failure = await failureOf(send("GET", "http://no-such-host.invalid/v2/", { addressName: "the registry URL" }));
  expect(failure.details.hint ?? "check the network").not.toContain("base URL");
});

describe("redirects of writes", () => {
  test.each([
    ["POST", 301],
    ["PUT", 302],
    ["PATCH", 303],
    ["DELETE", 308],
  ])("%s answered %i is an error that names the new address", async (method, status) => {
    const server = await redirecting(() => "https://new.example/api/v4/x?private_token=abc", status);
    const { send } = await client();
    const body = method === "DELETE" ? {} : { body: bodyOf("{}") };
    const failure = await failureOf(send(method, `${server.url}/api/v4/x`, { ...withToken, ...body }));
    expect([failure.exit, failure.code, failure.details.status]).toEqual(["refused", "moved", status]);
    expect(failure.message).toContain("redirected to https://new.example/api/v4/x");
    expect(failure.message).not.toContain("abc");
    expect(server.seen).toHaveLength(1);
  });
});
