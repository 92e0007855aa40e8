import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { json, signedIn } from "../support/answering.ts";
import { atEnd } from "../support/ending.ts";
import { session } from "../support/session.ts";

/** Reads `users?search=a` by `api --paginate` from a server whose first of two pages has these headers. */
async function paged(headers: Record<string, string>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const isFirst = asked.length === 1;
    response.writeHead(200, { "content-type": "application/json", ...(isFirst && headers) });
    response.end(isFirst ? '[{"id":1}]' : '[{"id":2}]');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => server.close());
  const { port } = server.address() as AddressInfo;
  const { run } = session({ FORGECTL_BASE_URL: `http://127.0.0.1:${port}/sub`, FORGECTL_TOKEN: "any" });
  const { code, stdout, stderr } = await run("api", "users?search=a", "--paginate");
  return { code, stdout, stderr, second: asked[1] };
}

const all = { code: 0, stdout: '{"id":1}\n{"id":2}\n' };

test.each([
  ["a page number beside a Link that a proxy added", { link: "</style.css>; rel=preload", "x-next-page": "2" }],
  ["a page number and the number of pages", { "x-page": "1", "x-total-pages": "2" }],
])("--paginate continues by %s", async (_, headers) => {
  expect(await paged(headers)).toMatchObject({ ...all, second: "/sub/api/v4/users?search=a&page=2" });
});

test.each(["?cursor=x", "/sub/api/v4/users?cursor=x", "users?cursor=x"])(
  "--paginate follows a link relative to its page: %s",
  async (link) => {
    const result = await paged({ link: `<${link}>; rel="next"` });
    expect(result).toMatchObject({ ...all, second: "/sub/api/v4/users?cursor=x" });
  },
);

test.each(["javascript:alert(1)", "/elsewhere?cursor=x", "http://["])(
  "--paginate does not follow a link out of the instance: %s",
  async (link) => {
    const { code, stdout, stderr, second } = await paged({ link: `<${link}>; rel="next"` });
    expect([code, stdout, second]).toEqual([1, '{"id":1}\n', undefined]);
    expect(stderr).toContain("the list continues on another origin");
  },
);

test.each([
  ["a page that is the one before it again, short of the total", { "x-total": "3" }, 1],
  ["one without a total, of a list that is not paged", {}, 0],
])("--paginate judges %s", async (_, total, code) => {
  const { run } = await signedIn((request, response, origin) => {
    const link = `<${origin}/forge/api/v4/users?page=${request.url?.includes("page=2") ? 3 : 2}>; rel="next"`;
    json(200, '[{"id":1}]', { link, ...total })(request, response, origin);
  });
  const result = await run("api", "users", "--paginate");
  expect(result).toMatchObject({ code, stdout: '{"id":1}\n' });
  expect(result.stderr.includes("after 1 of 3 rows, a page is the one before it again")).toBe(code === 1);
});

test("--paginate ends at a full page whose list had links, and where this one has none", async () => {
  const { run, seen } = await signedIn((request, response, origin) => {
    const isLast = request.url?.includes("cursor=4");
    const after = request.url?.includes("cursor=2") ? 4 : 2;
    const link = `<${origin}/forge/api/v4/users?per_page=2&cursor=${after}>; rel="next"`;
    const rows = [after, after + 1].map((id) => ({ id: isLast ? id + 10 : id }));
    json(200, JSON.stringify(rows), isLast ? {} : { link })(request, response, origin);
  });
  const result = await run("api", "users?per_page=2", "--paginate", "--jq", ".[].id");
  expect(result).toMatchObject({ code: 0, stderr: "" });
  expect(seen).toHaveLength(3);
});

test("--paginate knows the largest page as a full one, whatever size was asked for", async () => {
  const { run } = await signedIn((request, response, origin) => {
    const [from, count] = request.url?.includes("&page=2") ? [100, 7] : [0, 100];
    const rows = Array.from({ length: count }, (_, index) => ({ id: from + index }));
    json(200, JSON.stringify(rows))(request, response, origin);
  });
  const { code, stdout } = await run("api", "users?per_page=200", "--paginate", "--jq", ".[].id");
  expect([code, stdout.trim().split("\n").length]).toEqual([0, 107]);
});

test.each(["", "0", "-1", "many"])("--paginate takes 20 rows for a full page with per_page=%s", async (size) => {
  const { run, seen } = await signedIn((request, response, origin) => {
    const rows = [20, 1, 0][seen.length - 1] ?? 0;
    json(200, JSON.stringify(Array(rows).fill({ id: seen.length })))(request, response, origin);
    // A list without end would be asked for 100,000 times.
    if (seen.length > 5) response.destroy();
  });
  const path = `users?per_page=${size}`;
  const { code, stdout } = await run("api", path, "--paginate", "--jq", ".[].id");
  expect([code, stdout.trim().split("\n").length, seen.length]).toEqual([0, 21, 2]);
  seen.splice(0, seen.length, "", "");
  expect(await run("api", path, "--paginate")).toMatchObject({ code: 0, stdout: "" });
  expect(seen).toHaveLength(3);
});

test("--paginate continues after a full page whose headers a proxy removed, of a list that counts more rows", async () => {
  const { run } = await signedIn((request, response, origin) => {
    const page = Number(new URL(request.url ?? "", origin).searchParams.get("page") ?? 1);
    const link = `<${origin}/forge/api/v4/users?per_page=2&page=${page + 1}>; rel="next"`;
    const rows = page < 3 ? [{ id: page * 2 }, { id: page * 2 + 1 }] : [{ id: 6 }];
    json(200, JSON.stringify(rows), page === 1 ? { link, "x-total": "5" } : {})(request, response, origin);
  });
  const { code, stdout } = await run("api", "users?per_page=2", "--paginate", "--jq", ".[].id");
  expect([code, stdout.trim().split("\n")]).toEqual([0, ["2", "3", "4", "5", "6"]]);
});

test.each(["projects", "projects --paginate", "projects -H Cookie:session=1"])(
  "what an API elsewhere shows without the token is not the answer: api %s",
  async (line) => {
    const other = await signedIn(json(200, '[{"id":1}]'));
    const moved = await signedIn((request, response) => {
      response.writeHead(301, { location: `${new URL(other.env.FORGECTL_BASE_URL ?? "").origin}${request.url}` }).end();
    });
    const { code, stdout, stderr } = await moved.run("api", ...line.split(" "));
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`--base-url ${other.env.FORGECTL_BASE_URL}`);
  },
);

test("a file that the instance keeps elsewhere, and what needs no token, is the answer after a redirect", async () => {
  const other = await signedIn(json(200, '{"a":1}'));
  const { origin } = new URL(other.env.FORGECTL_BASE_URL ?? "");
  const moved = await signedIn((request, response) => {
    const place = request.url?.includes("/artifacts/") ? "/bucket/report.json" : request.url;
    response.writeHead(302, { location: `${origin}${place}` }).end();
  });
  const { code, stdout } = await moved.run("api", "projects/7/jobs/1/artifacts/report.json");
  expect([code, stdout]).toEqual([0, '{"a":1}\n']);
  const open = await moved.run("api", "projects/7", { env: { FORGECTL_TOKEN: "" } });
  expect([open.code, open.stdout]).toEqual([0, '{"a":1}\n']);
});

test("a page to sign in at another origin is not the answer, and a page that is a file is", async () => {
  const page = (response: ServerResponse, headers = {}) =>
    response.writeHead(200, { "content-type": "text/html", ...headers }).end("<p>1</p>");
  const other = await signedIn((request, response) =>
    page(response, request.url?.includes("bucket") ? { "content-disposition": "attachment" } : {}),
  );
  const { origin } = new URL(other.env.FORGECTL_BASE_URL ?? "");
  const moved = await signedIn((request, response) => {
    const place = request.url?.includes("/artifacts/") ? "/bucket/report.html" : "/login";
    response.writeHead(302, { location: `${origin}${place}` }).end();
  });
  for (const more of [[], ["-i"], ["-o", "json"], ["--paginate"], ["-X", "HEAD"]]) {
    const { code, stdout, stderr } = await moved.run("api", "projects/7", ...more);
    expect([code, stdout.includes("<p>")], stderr).toEqual([1, false]);
  }
  expect((await moved.run("api", "projects/7")).stderr).toContain("the server answered with a web page");
  const file = await moved.run("api", "projects/7/jobs/1/artifacts/report.html");
  expect([file.code, file.stdout]).toEqual([0, "<p>1</p>"]);
});
