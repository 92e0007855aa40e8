import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { atEnd } from "../support/ending.ts";
import { session } from "../support/session.ts";

/** 5,000 users in pages; every ninth answer has an incomplete body. */
async function signedIn() {
  let count = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    if (url.pathname.endsWith("/raw"))
      return response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("x"));
    const page = Number(url.searchParams.get("page") ?? 1);
    const body = JSON.stringify(
      Array.from({ length: 100 }, (_, row) => ({ id: (page - 1) * 100 + row + 1, username: "u" })),
    );
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": body.length,
      "x-next-page": page < 50 ? String(page + 1) : "",
    });
    if (++count % 9 > 0) return response.end(body);
    return response.write(body.slice(0, 500), () => response.socket?.resetAndDestroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: "t0ken-of-nobody" });
}

test("a reset of one request in nine does not end a list of 5,000", async () => {
  const { run } = await signedIn();
  for (const line of ["users list -L all --fields id --no-header", "api users?per_page=100 --paginate --jq .[].id"]) {
    const { code, stdout, stderr } = await run(...line.split(" "));
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(Array.from({ length: 5000 }, (_, row) => `${row + 1}\n`).join(""));
  }
});

test("content compressed by a proxy is not mistaken for the file", async () => {
  const { run } = await signedIn();
  const { code, stdout, stderr } = await run(..."files download a.txt -p 7 --ref main -O a.txt".split(" "));
  expect([code, stdout]).toEqual([12, ""]);
  expect(stderr).toContain("the content has an encoding that was not requested: gzip");
});
