import { writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { laggingProxy, stateOf } from "../support/lagging-proxy.ts";
import { startSandbox } from "../support/sandbox.ts";
import { session } from "../support/session.ts";

// An instance that answers reads from a copy of its database shows a change a second or two later. What was made is not
// called not made for that, nor made twice, nor taken back.

const reads = 2;

/** Runs a line on an instance of its own. */
async function run(line: string, lag?: Parameters<typeof laggingProxy>[1]) {
  const hosting = /^(?:saml|scim) identities/.test(line) ? "hosted" : "self-managed";
  const sandbox = await startSandbox({ hosting });
  const { url } = lag === undefined ? sandbox : await laggingProxy(sandbox, lag);
  const user = session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: sandbox.tokens.administrator });
  writeFileSync(join(user.home, "one.csv"), "dana.dixon@acme.example,new-uid\n");
  writeFileSync(
    join(user.home, "two.csv"),
    "dana.dixon@acme.example,olivia.ortega@acme.example\nolivia.ortega@acme.example,dana.dixon@acme.example\n",
  );
  const { code, stdout, stderr } = await user.run(...line.split(" "), "-o", "json", "--retries", "0");
  await sandbox.close();
  const same = stdout.replace(/[\da-f]{16,}/g, "hex").replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time");
  return { code, stdout: same, stderr };
}

describe("what was made is shown as made", () => {
  test.concurrent.each([
    "job-token limit on -p 2",
    "job-token limit off -p 7 --yes",
    "job-token projects add 2 -p 7",
    "envs protect review/app -p 7 --allow level:maintainer",
    "envs update production -p 7 --allow user:6",
    "envs update production -p 7 --remove-allow 2",
    "errors keys rotate 1 -p 7 --dsn-file dsn --yes",
    "errors settings set -p 7 --active true --integrated false",
    "hooks update 2 -g acme --name New",
    "hooks update 2 -g acme --remove-header X-Deploy-Key",
    "discussions resolve 9378a9ed --mr 19 -p 7",
    "notes upsert --mr 19 -p 7 --key coverage --body x",
    "files put README.md -p 7 -b main -m x --content x",
    "settings set signup_enabled=true --yes",
    "registry visibility private -p 7 --yes",
    "registry tags prune 12 -p 7 --delete-regex v1.1.0 --via tags --repeat --yes",
    "saml identities update dana.dixon@acme.example -g acme --extern-uid new-uid",
    "saml identities remap -g acme --map one.csv --yes",
    "scim identities remap -g acme --map one.csv --yes",
    "scim identities remap -g acme --map two.csv --yes",
  ])("%s", async (line) => {
    const whole = await run(line);
    expect([whole.code, whole.stderr.includes('"error"')]).toEqual([0, false]);
    const { code, stdout, stderr } = await run(line, { reads });
    expect([code, stdout], stderr).toEqual([0, whole.stdout]);
  });
});

const failed = (outgoing: ServerResponse) =>
  void outgoing.writeHead(500, { "content-type": "application/json" }).end('{"message":"500 Internal Server Error"}');

describe("a change that was answered 500, but made, is done", () => {
  test.concurrent.each([
    "job-token limit off -p 7 --yes",
    "job-token projects add 2 -p 7",
    "job-token groups remove 4 -p 7 --yes",
    "envs protect review/app -p 7 --allow level:maintainer",
    "envs update production -p 7 --allow user:6",
    "envs unprotect production -p 7 --yes",
    "errors disable -p 7",
    "errors keys delete 1 -p 7 --yes",
    "files create a.md -p 7 -b main -m x --content x",
    "files update README.md -p 7 -b main -m x --content x",
    "files delete README.md -p 7 -b main -m x --yes",
    "hooks delete 1 -g acme --yes",
    "notes delete 300003 --issue 28 -p 7 --yes",
    "registry tags delete 12 v1.1.0 v1.2.0 -p 7 --yes",
    "registry tags prune 12 -p 7 --delete-regex v1.1.0 --via tags --yes",
    "saml links remove Engineering -g acme --yes",
    "saml identities remap -g acme --map one.csv --yes",
    "scim identities delete dana.dixon@acme.example -g acme --yes",
    "ldap links remove --cn leads --provider ldapmain -g acme --yes",
    "uploads delete 1 -p 7 --yes",
    "uploads prune -p 7 --older-than 1d --yes",
  ])("%s", async (line) => {
    const { code, stderr } = await run(line, { reads, answers: failed });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/a check shows that|the commit was made/)]);
  });
});

test("a rollback right after its run finds what there is to undo", async () => {
  for (const section of [
    "groups: { acme: { saml_group_links: [{ name: Late, access_level: developer }] } }",
    "projects: { acme/docs: { job_token_scope: { inbound_enabled: true, allowlist: [acme/storefront] } } }",
  ]) {
    const sandbox = await startSandbox();
    const first = stateOf(sandbox.store);
    const { url, fallBehind } = await laggingProxy(sandbox, { reads });
    const user = session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: sandbox.tokens.administrator });
    writeFileSync(join(user.home, "state.yaml"), `forgectl: 1\n${section}\n`);
    expect(await user.run("state", "apply", "-f", "state.yaml", "--yes")).toMatchObject({ code: 0 });
    fallBehind(first);
    const { code, stdout, stderr } = await user.run("state", "rollback", "--yes", "-o", "json");
    await sandbox.close();
    expect([code, stdout.includes('"done"')], stderr).toEqual([0, true]);
  }
});

test("Ctrl-C while a change is looked at again leaves open whether it was made", async () => {
  for (const line of ["files create a.md -p 7 -b main -m x --content x", "notes delete 300003 --issue 28 -p 7 --yes"]) {
    const sandbox = await startSandbox();
    let isMade = () => {};
    const when = new Promise<void>((made) => {
      isMade = made;
    }).then(() => new Promise((later) => setTimeout(later, 700)));
    const answers = (outgoing: ServerResponse) => {
      isMade();
      failed(outgoing);
    };
    const { url } = await laggingProxy(sandbox, { reads: 99, answers });
    const user = session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: sandbox.tokens.administrator });
    const words = [...line.split(" "), "-o", "json", "--retries", "0"];
    const { code, stderr } = await user.run(...words, { kill: { signal: "SIGINT", when } });
    await sandbox.close();
    expect([line, code, JSON.parse(stderr).error]).toEqual([
      line,
      expect.any(Number),
      expect.objectContaining({ outcome: "unknown", retryable: false }),
    ]);
  }
});
