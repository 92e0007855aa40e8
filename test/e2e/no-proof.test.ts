import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { atEnd } from "../support/ending.ts";
import { sampled } from "../support/examples.ts";
import { requestsIn, sandboxSession, session } from "../support/session.ts";

// A success that is not the platform's answer is no proof that anything was deleted or changed: something in front of
// the instance answered. And an error of the server is no proof that nothing was.

type Foreign = (outgoing: ServerResponse) => void;

const json = (text: string, headers: Record<string, string> = {}): Foreign => {
  return (outgoing) => void outgoing.writeHead(200, { "content-type": "application/json", ...headers }).end(text);
};
const foreign: Record<string, Foreign> = {
  "half a JSON": json('{"message":"dele'),
  "another shape": json('[{"id":1}]'),
  "an object of something else": json('{"code":40101,"msg":"session expired","data":null}'),
  "an empty object": json("{}"),
  "a message of something else": json('{"message":"Service under maintenance"}'),
  "an error with status 200": json('{"error":"session expired"}'),
  "a web page": json("<!doctype html><title>Sign in</title>", { "content-type": "text/html" }),
  "a text": json("It works!", { "content-type": "text/plain" }),
  "an invalid encoding": json("{}", { "content-encoding": "gzip" }),
  "a decompression bomb": (outgoing) =>
    void outgoing
      .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
      .end(gzipSync(Buffer.alloc(40_000_000, "["))),
  "half of what was announced": (outgoing) => {
    outgoing.writeHead(200, { "content-type": "application/json", "content-length": "40" });
    outgoing.write('{"message":', () => outgoing.destroy());
  },
};

/** A proxy that answers changes by itself, before or after the sandbox has acted, as long as `answer` says. */
async function before(
  answer: (count: number) => { reply: Foreign; acts: boolean } | undefined,
  options: SandboxOptions = {},
) {
  const log: string[] = [];
  const { sandbox } = await sandboxSession({ ...options, log: (line) => log.push(line) });
  let count = 0;
  const proxy = createServer((incoming, outgoing) => {
    const { method = "", headers, url = "" } = incoming;
    const now = method === "GET" || method === "HEAD" ? undefined : answer(++count);
    if (now !== undefined && !now.acts) {
      incoming.resume();
      return now.reply(outgoing);
    }
    const onward = request(new URL(url, sandbox.url), { method, headers }, (answered) => {
      if (now === undefined) {
        outgoing.writeHead(answered.statusCode ?? 0, answered.headers);
        return answered.pipe(outgoing);
      }
      answered.resume().on("end", () => now.reply(outgoing));
    });
    incoming.pipe(onward);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  atEnd(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const user = session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: sandbox.tokens.administrator });
  return { ...user, requests: () => requestsIn(log).filter((line) => !/^(?:GET|HEAD) /.test(line)) };
}

const lines = [
  "registry tags delete 12 v1.1.0 -p 7 --yes",
  "uploads delete 1 -p 7 --yes",
  "notes delete 300003 --issue 28 -p 7 --yes",
  "saml links remove Engineering -g acme --yes",
  "envs unprotect production -p 7 --yes",
  "job-token limit on -p 2",
];

/** Each answer to a third of the changes; with FORGECTL_TEST_EXAMPLES=all, to all. */
const answers = Object.entries(foreign).map(([name, reply], index) => ({
  name,
  reply,
  changes: sampled(lines, 3, index),
}));

test.concurrent.each(answers)(
  "$name is looked at: what was not made is not reported as made",
  async ({ reply, changes }) => {
    const tried = async (line: string) => {
      const { run, requests } = await before(() => ({ reply, acts: false }));
      const { code, stdout, stderr } = await run(...line.split(" "), "-o", "json", "--retries", "0");
      expect([line, stdout, requests()]).toEqual([line, "", []]);
      expect(code).not.toBe(0);
      expect([line, JSON.parse(stderr).error]).toEqual([
        line,
        expect.objectContaining({ outcome: null, retryable: true }),
      ]);
    };
    await Promise.all(changes.map(tried));
  },
);

test.concurrent.each(answers)("$name is looked at: what was made is done", async ({ reply, changes }) => {
  for (const line of changes) {
    const { run } = await before(() => ({ reply, acts: true }));
    const { code, stderr } = await run(...line.split(" "), "-o", "json", "--retries", "0");
    expect([line, code]).toEqual([line, 0]);
    expect(stderr).toMatch(/the answer is not the instance's|the answer was lost/);
    expect(stderr).toMatch(/; a check shows that /);
  }
});

/** It has names of fields that most objects have. */
const gateway = JSON.stringify({
  ...{ id: "7f3a9c12", name: "gateway", status: "blocked", message: "request blocked by policy" },
  ...{ url: "https://gateway.example.com/help", created_at: "2026-11-27T09:00:00Z" },
});

/** Objects with an ID that a resource could have, or with the fields that many have. */
const plausible = [
  '{"id":1}',
  '{"id":"req-77","message":"accepted"}',
  '{"message":"accepted"}',
  '{"id":1,"name":"gateway","url":"https://login.example.com/","code":401,"provider":"sso"}',
];

const made = [
  "registry visibility private -p 7",
  "groups export -g acme",
  "job-token groups add 8 -p 7",
  "job-token projects add 9 -p 7",
  "files create a.md -p 7 -b main -m Text --content x",
  "files update README.md -p 7 -b main -m Text --content x",
  "artifacts keep 992 -p 7",
  "errors settings set -p 7 --active false --integrated false",
  "errors disable -p 7",
  "errors keys create -p 7",
  "envs protect review/app -p 7 --allow level:maintainer",
  "envs update production -p 7 --allow user:6",
  "notes create --issue 28 -p 7 --body x",
  "notes update 300001 --issue 28 -p 7 --body x",
  "discussions create --mr 19 -p 7 --body x",
  "discussions resolve 9378a9ed --mr 19 -p 7",
  "discussions create --issue 28 -p 7 --body x",
  "uploads create a.txt -p 7",
  "hooks create https://hooks.example.com/in -g acme --events push",
  "hooks update 2 -g acme --events push,-tag_push",
  "saml links add -g acme Interns --access-level 10",
  "ldap links add -g acme --cn support --provider ldapmain --access-level 10",
  "settings set signup_enabled=true",
].map((line, index) => ({ line, index }));

// Half of the bodies for each; with FORGECTL_TEST_EXAMPLES=all, all.
test.concurrent.each(made)("an object of something else is not a success: $line", async ({ line, index }) => {
  // What is read afterwards takes seconds for each, and goes by what was read.
  const isRead = /^(?:errors (?:settings|disable)|envs) /.test(line);
  const bodies = ["{}", '{"received":"ok"}', '{"status":"ok"}', gateway, ...(isRead ? [] : plausible)];
  for (const body of sampled(bodies, 2, index)) {
    const { run, requests, home } = await before(() => ({ reply: json(body), acts: false }));
    writeFileSync(join(home, "a.txt"), "x");
    const { code, stdout, stderr } = await run(...line.split(" "), "-o", "json", "--retries", "0");
    expect([body, code === 0 ? stdout : "", requests()]).toEqual([body, "", []]);
    expect([body, stderr]).not.toEqual([body, expect.stringContaining("another change was made")]);
  }
});

test.concurrent("what an object of something else hides is done if a check shows it", async () => {
  for (const line of [
    "errors disable -p 7",
    "job-token groups add 8 -p 7",
    "files create a.md -p 7 -b main -m x --content x",
  ]) {
    const { run } = await before(() => ({ reply: json('{"received":"ok"}'), acts: true }));
    const { code, stderr } = await run(...line.split(" "), "-o", "json", "--retries", "0");
    expect([line, code, stderr]).toEqual([line, 0, expect.stringMatching(/^$|a check shows that|the commit was made/)]);
  }
});

test.concurrent("what an object of something else hides is unknown if it cannot be read", async () => {
  for (const body of ["{}", '{"received":"ok"}']) {
    const { run, requests } = await before(() => ({ reply: json(body), acts: false }));
    const line = "errors settings set -p 8 --active true --integrated true -o json";
    const { code, stderr } = await run(...line.split(" "));
    expect([body, code, requests()]).toEqual([body, 3, []]);
    expect(JSON.parse(stderr)).toMatchObject({ error: { outcome: "unknown", retryable: false } });
    expect(stderr).not.toContain("the change was made");
  }
});

test.concurrent.each([
  "registry delete 13 -p 7 --yes",
  "registry tags prune 12 -p 7 --delete-regex nightly-.* --via bulk --yes",
  "artifacts purge -p 7 --yes",
  "hooks test 2 -g acme --trigger push",
  "relations export -p 7",
])("an object of something else schedules nothing: %s", async (line) => {
  const { run } = await before(() => ({ reply: json('{"status":"maintenance"}'), acts: false }));
  const { code, stdout, stderr } = await run(...line.split(" "), "-o", "json", "--retries", "0");
  expect([code === 0, stdout], stderr).toEqual([false, ""]);
});

test.concurrent.each(['{"message":"202 Accepted"}', "202", '"202"', "null", "true"])(
  "%s is an answer of the instance, as much as an empty one",
  async (body) => {
    const { run } = await before(() => ({ reply: json(body), acts: true }));
    expect(await run(..."artifacts purge -p 7 --yes -q".split(" "))).toMatchObject({ code: 0, stderr: "" });
  },
);

const unavailable: Foreign = (outgoing) => void outgoing.writeHead(503, { "retry-after": "0" }).end();

test.concurrent("a deletion that was answered 503, but made, is done: the 404 of its repetition is no failure", async () => {
  for (const line of [
    "registry tags delete 12 v1.1.0 -p 7 --yes",
    "registry tags delete 12 v1.1.0 v1.2.0 -p 7 --yes",
    "notes delete 300003 --issue 28 -p 7 --yes",
    "hooks delete 1 -g acme --yes",
  ]) {
    const { run, requests } = await before((count) => (count === 1 ? { reply: unavailable, acts: true } : undefined));
    const { code, stdout, stderr } = await run(...line.split(" "), "-o", "json");
    expect([line, code, stderr.includes("a check shows that ")]).toEqual([line, 0, true]);
    const rows = [JSON.parse(stdout)].flat() as { status: string }[];
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(["deleted"]));
    expect(requests().slice(-2).join(" ")).toMatch(/40[04]|204|200/);
  }
});

test.concurrent("so are other refusals of what is gone", async () => {
  for (const line of ["registry tags delete 12 v1.1.0 -p 7 --yes", "job-token projects remove 3 -p 7 --yes"]) {
    const acted = (count: number) => (count === 1 ? { reply: unavailable, acts: true } : undefined);
    const { run, requests } = await before(acted, { asDeployed: true });
    const { code, stderr } = await run(...line.split(" "), "-o", "json");
    expect([line, code, stderr]).toEqual([line, 0, expect.stringContaining("a check shows that ")]);
    expect(requests().at(-1)).toMatch(/ 40[03]$/);
  }
});

test.concurrent("a 403 of the repetition is no proof that the attempt before, whose answer was lost, was not made", async () => {
  const lost: Foreign = (outgoing) => outgoing.destroy();
  const refused: Foreign = (outgoing) =>
    void outgoing.writeHead(403, { "content-type": "application/json" }).end('{"message":"403 Forbidden"}');
  const after = async (line: string, acts: boolean) => {
    const { run } = await before((count) => ({ reply: count === 1 ? lost : refused, acts: acts && count === 1 }));
    const { code, stderr } = await run(...line.split(" "), "-o", "json");
    return { code, stderr, error: code === 0 ? undefined : JSON.parse(stderr).error };
  };
  for (const line of [
    "saml links remove Engineering -g acme --yes",
    "errors keys delete 1 -p 7 --yes",
    "envs unprotect production -p 7 --yes",
  ]) {
    const made = await after(line, true);
    expect([line, made.code, made.stderr]).toEqual([
      line,
      0,
      expect.stringContaining("the answer was lost; a check shows that "),
    ]);
    const { code, error } = await after(line, false);
    const refusal = { outcome: null, outcome_text: "a check shows that the change was not made", retryable: false };
    expect([line, code, error]).toEqual([line, 5, expect.objectContaining(refusal)]);
    expect(error.cause).not.toMatch(/lost/);
  }
  const { code, error } = await after("hooks update 2 -g acme --name New", true);
  expect([code, error.outcome, error.hint]).toEqual([
    5,
    "unknown",
    expect.stringContaining("check before you run it again"),
  ]);
});

test.concurrent("a 404 without an earlier attempt is not found, and one of a missing project is no deletion", async () => {
  const { run } = await before(() => undefined);
  expect(await run(..."registry tags delete 12 nothing -p 7 --yes".split(" "))).toMatchObject({ code: 3, stdout: "" });
  const gone = await before((count) => (count === 1 ? { reply: unavailable, acts: false } : undefined));
  const { code, stdout, stderr } = await gone.run(..."registry tags delete 12 v1.1.0 -p 999 --yes -o json".split(" "));
  expect([code, stdout]).toEqual([3, ""]);
  expect(JSON.parse(stderr).error).toMatchObject({ outcome: "unknown", retryable: false });
});
