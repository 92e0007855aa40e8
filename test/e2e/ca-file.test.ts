import { readFileSync } from "node:fs";
import { copyFile, readFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { session } from "../support/session.ts";

// An instance whose certificate is signed by a private authority.

const fixture = (name: string) => new URL(`../faults/fixtures/${name}`, import.meta.url);
const answers: Readonly<Record<string, unknown>> = { "/api/v4/user": { id: 1, username: "root" } };
const server = createServer(
  { cert: readFileSync(fixture("server.pem")), key: readFileSync(fixture("server.key")) },
  (request, response) => {
    const body = answers[request.url ?? ""];
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(body ?? { message: "404 Not Found" }));
  },
);
let url: string;
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "localhost", done));
  url = `https://localhost:${(server.address() as AddressInfo).port}`;
  return () => server.close();
});

async function here() {
  const shell = session({ FORGECTL_TOKEN: "t0ken-of-somebody", FORGECTL_BASE_URL: url });
  await copyFile(fixture("ca.pem"), join(shell.home, "ca.pem"));
  return { ...shell, me: ["users", "me", "--jq", ".username"] };
}

test("the authority is set by flag, by variable, or by the CI job; without it, the error names the ways", async () => {
  const { run, me } = await here();
  const without = await run(...me);
  expect(without.code).toBe(11);
  for (const way of ["--ca-file", "FORGECTL_CA_FILE", "forgectl profiles set"]) expect(without.stderr).toContain(way);
  const job = { FORGECTL_BASE_URL: undefined, CI_SERVER_URL: url, CI_SERVER_TLS_CA_FILE: "ca.pem" };
  for (const [words, env] of [
    [["--ca-file", "ca.pem"], {}],
    [["--ca-file=ca.pem"], { FORGECTL_CA_FILE: "missing.pem" }],
    [[], { FORGECTL_CA_FILE: "ca.pem", CI_SERVER_TLS_CA_FILE: "missing.pem" }],
    [[], job],
  ] as const) {
    expect([words, env, await run(...me, ...words, { env })]).toEqual([
      words,
      env,
      { code: 0, stdout: "root\n", stderr: "" },
    ]);
  }
});

test("a missing file or one without a certificate: exit 2, with the name of its source", async () => {
  const { run, me } = await here();
  const missing = await run(...me, "--ca-file", "missing.pem");
  expect([missing.code, missing.stderr]).toEqual([
    2,
    expect.stringContaining("error: --ca-file: missing.pem cannot be read\n"),
  ]);
  const variable = await run(...me, { env: { CI_SERVER_TLS_CA_FILE: "missing.pem" } });
  expect([variable.code, variable.stderr]).toEqual([
    2,
    expect.stringContaining("error: CI_SERVER_TLS_CA_FILE: missing.pem"),
  ]);
  const empty = await run(...me, "--ca-file", "/dev/null");
  expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining("is not a PEM file\n")]);
});

test("a login stores the --ca-file, and the next command works from any folder", async () => {
  const shell = await here();
  const env = { FORGECTL_TOKEN: undefined, FORGECTL_BASE_URL: undefined };
  const login = ["auth", "login", "--base-url", url, "--ca-file", "ca.pem", "--token-stdin", "--insecure-storage"];
  expect(await shell.run(...login, { env, input: "t0ken-of-somebody" })).toMatchObject({ code: 0 });
  expect(await shell.run(...shell.me, { env, cwd: "/" })).toMatchObject({ code: 0, stdout: "root\n" });
  const stored = JSON.parse(await readFile(join(shell.home, ".config", "forgectl", "profiles.json"), "utf8"));
  expect(stored.profiles.default["ca-file"]).toBe(join(shell.home, "ca.pem"));
});
