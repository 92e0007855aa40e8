import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { atEnd } from "../support/ending.ts";
import { session } from "../support/session.ts";

// Without an access token an instance lists only public projects: none of them is not "no finding".

const lines = [
  "job-token audit -g acme --exit-code",
  "envs audit -g acme --exit-code",
  "audit -g acme --exit-code",
  "each --projects-of acme -- job-token get",
  "each --groups-of acme -- hooks list",
];

const seen: string[] = [];
const server = createServer((request, response) => {
  seen.push(`${request.method} ${request.url}`);
  const isGroup = /\/groups\/acme$/.test(request.url ?? "");
  response.writeHead(200, { "content-type": "application/json" });
  response.end(isGroup ? '{"id":10,"full_path":"acme","name":"acme"}' : "[]");
}).listen(0, "127.0.0.1");
await once(server, "listening");
atEnd(() => server.close());
const { port } = server.address() as AddressInfo;

test.each([
  ["no token", {}, "no_token"],
  ["a job token", { CI_JOB_TOKEN: "job-token-of-nobody" }, "job_token_refused"],
])("%s: what goes through a group is exit 4, and nothing is sent", async (_, env, code) => {
  const { run } = session({ FORGECTL_BASE_URL: `http://127.0.0.1:${port}`, ...env });
  for (const line of lines) {
    const [before, after] = line.split(" -- ");
    const words = [
      ...(before ?? "").split(" "),
      "-o",
      "json",
      ...(after === undefined ? [] : ["--", ...after.split(" ")]),
    ];
    const ended = await run(...words);
    expect([line, ended.code, ended.stderr]).toEqual([line, 4, expect.stringContaining(`"code":"${code}"`)]);
  }
  expect(seen).toEqual([]);
});
