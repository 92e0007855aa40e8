import { describe, expect, test } from "vitest";
import { client, failureOf, serve, textOf, withToken } from "../../faults/support.ts";

/** A server that answers with this status and place, except at /end. */
const redirecting = (status: number, location: string | undefined) =>
  serve((request, response) => {
    if (request.url === "/end") return response.end("here");
    response.writeHead(status, location === undefined ? {} : { location }).end(status === 304 ? undefined : "body");
  });

test.each([
  [300, "/end", false],
  [301, "/end", true],
  [302, "/end", true],
  [302, undefined, false],
  [303, "/end", true],
  [304, "/end", false],
  [305, "/end", false],
  [307, "/end", true],
  [308, "/end", true],
  [399, "/end", false],
  [400, "/end", false],
  [299, "/end", false],
] as const)("a read that is answered %i to %s follows it: %s", async (status, location, follows) => {
  const server = await redirecting(status, location);
  const { send } = await client();
  for (const method of ["GET", "HEAD"]) {
    const response = await send(method, `${server.url}/a`);
    expect([response.status, response.url]).toEqual(follows ? [200, `${server.url}/end`] : [status, `${server.url}/a`]);
    await response.discard();
  }
});

test.each([299, 304, 400])("a change that is answered %i has that answer", async (status) => {
  const server = await redirecting(status, "/end");
  expect((await (await client()).send("PUT", `${server.url}/a`)).status).toBe(status);
});

test.each([300, 301, 302, 307, 399])("a change that is answered %i is not sent elsewhere", async (status) => {
  const server = await redirecting(status, "/b?private_token=s3cret");
  const failure = await failureOf((await client()).send("POST", `${server.url}/a?token=s3cret`));
  expect(failure).toMatchObject({ exit: "refused", code: "moved" });
  expect(failure.message).toContain(`${server.url}/b?private_token=[redacted] (${status})`);
  expect(failure.details).toMatchObject({ status, method: "POST", path: "/a?token=[redacted]" });
  expect(server.lines()).toEqual(["POST /a?token=s3cret"]);
});

describe("to another origin", () => {
  test("only what says which content is wanted is sent", async () => {
    const other = await redirecting(200, undefined);
    const address = other.url.replace("//", "//ana:s3cret@");
    const home = await redirecting(302, `${address}/x?a=1&job_token=s3cret&private_token=s3cret#part`);
    const harmless = { Accept: "a/b", "accept-encoding": "identity", "if-range": '"v1"', range: "bytes=1-" };
    const headers = { ...harmless, "user-agent": "test", cookie: "s3cret", ...withToken.headers, accept: "a/b" };
    const { send, trace } = await client();
    const response = await send("GET", `${home.url}/a`, { ...withToken, headers });
    expect([response.url, other.lines()]).toEqual([`${other.url}/x?a=1`, ["GET /x?a=1"]]);
    const { connection: _, host: __, ...seen } = other.seen[0]?.headers ?? {};
    expect(seen).toEqual({
      accept: expect.stringContaining("a/b"),
      "accept-encoding": "identity",
      "if-range": '"v1"',
      range: "bytes=1-",
      "user-agent": expect.any(String),
    });
    expect(trace.filter((line) => line.includes("redirected"))).toEqual([`    302: redirected to ${other.url}/x?a=1`]);
    expect(trace.join("\n")).not.toContain("s3cret");
  });

  test.each([
    ["a=%20b&Signature=ab~c-_=&flag&r=(x)&s=%2f", ""],
    ["a=%20b&Signature=ab~c-_=&flag", "&job%5Ftoken=s3cret"],
    ["Signature=ab~c=", "&private_token=s3cret&job_token"],
  ])("the query %s remains as it is signed", async (query, tokens) => {
    const other = await redirecting(200, undefined);
    const home = await redirecting(302, `${other.url}/x?${query}${tokens}`);
    await textOf(await (await client()).send("GET", `${home.url}/a`, withToken));
    expect(other.lines()).toEqual([`GET /x?${query}`]);
  });

  test("a page elsewhere is not suggested as the instance's new address", async () => {
    const other = await redirecting(200, undefined);
    const home = await redirecting(302, `${other.url}/users/sign_in`);
    const failure = await failureOf((await client()).send("GET", `${home.url}/a`, { whole: true }));
    expect([failure.message, failure.details.hint]).toEqual([
      expect.stringContaining(`to another address: ${other.url}/users/sign_in (302)`),
      "check --base-url",
    ]);
  });

  test("an address that a shell would obey is quoted where it is suggested", async () => {
    const home = await redirecting(302, "https://forge.example/a;$(id)&b/api/v4/user");
    const failure = await failureOf((await client()).send("GET", `${home.url}/a`, { whole: true }));
    expect(failure.details.hint).toBe("if the instance moved there: --base-url 'https://forge.example/a;$(id)&b'");
  });

  test.each([
    [undefined, "if the instance moved there: --base-url "],
    ["the registry URL", "check the registry URL"],
  ])("rows are not read from it; the address is that of %s", async (addressName, hint) => {
    const other = await redirecting(200, undefined);
    const home = await redirecting(302, `${other.url}/api/v4/files/api/v4/user?token=s3cret`);
    const more = { whole: true, ...(addressName && { addressName }) };
    const failure = await failureOf((await client()).send("GET", `${home.url}/a`, more));
    expect(failure).toMatchObject({
      exit: "refused",
      code: "moved",
      details: { method: "GET", path: "/a", status: 302 },
    });
    expect(failure.message).toContain(`to another address: ${other.url}/api/v4/files/api/v4/user (302)`);
    expect(failure.details.hint).toBe(addressName === undefined ? `${hint}${other.url}` : hint);
    expect(other.seen).toEqual([]);
  });
});

describe("is refused", () => {
  test.each<[string, string, string | undefined]>([
    ["an invalid address", "http://[", undefined],
    ["another scheme", "ftp://x.example/y", "insecure_redirect"],
    ["a local file", "file:///etc/passwd", "insecure_redirect"],
    ["a loop", "/a", "redirect_loop"],
  ])("%s", async (_, location, code) => {
    const server = await redirecting(302, location);
    const failure = await failureOf(
      (await client()).send("GET", `${server.url}/a`, { addressName: "the registry URL" }),
    );
    expect([failure.exit, failure.details.code]).toEqual(["refused", code]);
    expect(failure.details).toMatchObject({ method: "GET", path: "/a" });
    if (code !== undefined) expect(failure.details.hint).toBe("check the registry URL");
    expect(server.seen).toHaveLength(1);
  });

  test("the sixth redirect, not the fifth", async () => {
    const chain = (length: number) =>
      serve((request, response) => {
        const path = request.url ?? "";
        if (path.length > length) return response.end("here");
        response.writeHead(302, { location: `${path}x` }).end();
      });
    const { send } = await client();
    expect(await textOf(await send("GET", `${(await chain(6)).url}/a`))).toBe("here");
    const failure = await failureOf(send("GET", `${(await chain(7)).url}/a`));
    expect(failure.details).toMatchObject({ code: "too_many_redirects", hint: "check the base URL" });
  });
});
