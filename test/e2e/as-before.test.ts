import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { atEnd } from "../support/ending.ts";
import { requestsIn, sandboxSession, session } from "../support/session.ts";

// What was as a change wants it before the change is no proof that it was made: the instance gets none of these, and
// would refuse them.

/** A gateway that answers 502 to every change, which the instance gets or not, and 403 to reads if there are none. */
async function behindGateway(line: string, acts: boolean, reads = true) {
  const log: string[] = [];
  const hosting = /^(?:saml|scim) identities/.test(line) ? "hosted" : "self-managed";
  const direct = await sandboxSession({ hosting, log: (entry) => log.push(entry) });
  const { sandbox } = direct;
  const gateway = createServer((incoming, outgoing) => {
    const { method = "", headers, url = "" } = incoming;
    const isChange = method !== "GET" && method !== "HEAD";
    const answer = (status: number) => void outgoing.writeHead(status, { "content-type": "text/html" }).end("<html>");
    if (isChange ? !acts : !reads) {
      incoming.resume();
      return answer(isChange ? 502 : 403);
    }
    const onward = request(new URL(url, sandbox.url), { method, headers }, (answered) => {
      if (isChange) return void answered.resume().on("end", () => answer(502));
      outgoing.writeHead(answered.statusCode ?? 0, answered.headers);
      answered.pipe(outgoing);
    });
    incoming.pipe(onward);
  }).listen(0, "127.0.0.1");
  await once(gateway, "listening");
  atEnd(() => {
    gateway.closeAllConnections();
    gateway.close();
  });
  const FORGECTL_BASE_URL = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  const user = session({ FORGECTL_BASE_URL, FORGECTL_TOKEN: sandbox.tokens.administrator });
  const changes = () => requestsIn(log).filter((entry) => !/^(?:GET|HEAD) /.test(entry));
  return { ...user, direct, changes };
}

const there = `
envs protect production -p 7 --allow level:maintainer
job-token projects add 1 -p 7
job-token groups add 4 -p 7
files create README.md -b main -m m --from readme.tmp -p 7
files update README.md -b main -m m --from readme.tmp -p 7
hooks create https://hooks.example.com/in -g acme
saml links add Engineering -g acme --access-level 30
ldap links add --cn leads --provider ldapmain --access-level 30 -g acme`;

const missing = `
envs unprotect nope -p 7 --yes
job-token projects remove 9 -p 7 --yes
job-token groups remove 2 -p 7 --yes
files delete nope.txt -b main -m m -p 7 --yes
hooks delete 999 -g acme --yes
saml links remove Nope -g acme --yes
saml identities delete nope@acme.example -g acme --yes
scim identities delete nope@acme.example -g acme --yes
ldap links remove --cn nope --provider ldapmain -g acme --yes
errors keys delete 999 -p 7 --yes
uploads delete 999 -p 7 --yes
notes delete 999999 --issue 28 -p 7 --yes
registry delete 999 -p 7 --yes
registry tags delete 12 nope -p 7 --yes`;

const made = `
envs protect canary -p 7 --allow level:maintainer
envs unprotect production -p 7 --yes
job-token projects add 2 -p 7
job-token groups add 2 -p 7
job-token projects remove 3 -p 7 --yes
files create new.txt -b main -m m --content x -p 7
files update README.md -b main -m m --content x -p 7
files delete README.md -b main -m m -p 7 --yes
files delete README.md -b new --start-branch main -m m -p 7 --yes
files create new.txt -b new --start-branch main -m m --content x -p 7
files update README.md -b new --start-branch main -m m --content x -p 7
hooks delete 1 -g acme --yes
saml links remove Engineering -g acme --yes
saml identities delete dana.dixon@acme.example -g acme --yes
scim identities delete dana.dixon@acme.example -g acme --yes
ldap links remove --cn leads --provider ldapmain -g acme --yes
errors keys delete 1 -p 7 --yes
uploads delete 1 -p 7 --yes
notes delete 300003 --issue 28 -p 7 --yes
registry tags delete 12 v1.1.0 -p 7 --yes`;

const linesIn = (table: string) => table.trim().split("\n");

test.concurrent.each(linesIn(`${there}${missing}`).flatMap((line) => [`${line} --retries 0`, `${line} --retries 1`]))(
  "%s is not said to be done, and has no undo line",
  async (line) => {
    const { run, direct, changes, home } = await behindGateway(line, false);
    const readme = await direct.run(..."files cat README.md -p 7 --ref main".split(" "));
    writeFileSync(join(home, "readme.tmp"), readme.stdout);
    const { code, stdout, stderr } = await run(...line.split(" "));
    expect([code === 0, stdout, changes()], stderr).toEqual([false, "", []]);
    expect(stderr).not.toMatch(/^undo:|; a check shows that|the commit was made/m);
  },
);

test.concurrent.each(linesIn(made))("%s is found to be made, as it was not so before", async (line) => {
  const { run, changes } = await behindGateway(line, true);
  const { code, stderr } = await run(...line.split(" "), "--retries", "0");
  expect([code, changes()], stderr).toEqual([0, [expect.stringMatching(/ 2\d\d$/)]]);
  expect(stderr).toMatch(/the answer was lost(?:; a check shows that|, but the commit was made)/);
});

test.concurrent.each(linesIn(made))("%s is sent by a token that may not read, and stays unknown", async (line) => {
  const { run, changes } = await behindGateway(line, true, false);
  const { code, stderr } = await run(...line.split(" "), "--retries", "0");
  expect([code === 0, changes()], stderr).toEqual([false, [expect.stringMatching(/ 2\d\d$/)]]);
  expect(stderr).not.toMatch(/^undo:/m);
});
