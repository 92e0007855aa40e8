import { afterAll, describe, expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { attack } from "../support/attack.ts";
import { exampleLines, typist, unattended } from "../support/examples.ts";

// Each read that a command needs is answered 403 in turn, as by an instance that shows a token only a part. What could
// not be read is no empty list: the exit code, a message, or a row says so.

/** Reads whose answers only add to a result that is complete without them. */
const optional: readonly (readonly [command: RegExp, read: RegExp])[] = [
  // The instance itself never deletes a tag that a rule protects.
  [/^registry (?:tags )?prune/, /protection\/tag\/rules$/],
  // It reads the version elsewhere then.
  [/^doctor/, /^\/metadata$/],
  // Named by its ID and found in its group, a project is recognized as the same one.
  [/^audit/, /^\/projects\/7$/],
  // Without the groups above, fewer entries are found to be needless.
  [/^job-token compact/, /^\/groups\/\d+$/],
  // How it was before matters only if the answer to the change is lost.
  [/^job-token (?:projects|groups) (?:add|remove)/, /allowlist$/],
  [/^envs (?:protect|unprotect)/, /protected_environments\/[^/]+$/],
  [/^(?:hooks|uploads|notes|discussions|(?:saml|scim) identities|errors keys) delete|^(?:saml|ldap) links remove/, /./],
  // A journal names its user where that is known.
  [/^hooks redeliver/, /^\/user$/],
  // The line that waits has the time of the request.
  [/^relations export/, /\/export_relations\/status$/],
  // Whether who starts a deployment approves it matters only where one or two approvals are required.
  [/^(?:envs )?audit/, /^\/projects\/acme%2Fstorefront$/],
  // The path is taken as it was typed, not as the instance spells it.
  [/^state export/, /^\/groups\/acme$/],
];

const all = process.env.FORGECTL_TEST_READS === "all";
const seed = Number(process.env.FORGECTL_TEST_SEED ?? Date.now() % 1_000_000);
afterAll(() => {
  if (!all) process.stderr.write(`refused reads: FORGECTL_TEST_SEED=${seed}\n`);
});

/** Of a command with more reads than this, one in eight is refused, but for FORGECTL_TEST_READS=all. */
const few = 8;

const audits = [
  "audit -g acme -p 7 --settings",
  ...["hooks", "envs", "job-token"].map((name) => `${name} audit -g acme`),
];
const examples = (await exampleLines(1)).filter((_, index) => all || (index + seed) % 8 === 0);
const lines = [...audits, ...examples];
const attempts = attack(lines.length);

/** Runs a line on a new instance; `refused` is the path below /api/v4 that is not to be read. */
async function runWith(line: string, refused?: string) {
  const reads = new Set<string>();
  const trial = await alteringSession(({ method, path }) => {
    const place = path.replace(/\?.*/, "").replace("/api/v4", "");
    if (method === "GET") reads.add(place);
    return method === "GET" && place === refused ? { status: 403, body: { message: "403 Forbidden" } } : undefined;
  });
  const { code, stdout, stderr } = await (await typist(trial))(unattended(line), {});
  return { reads: [...reads], code, said: linesOf(`${stdout}\n${stderr}`) };
}

/** Without times and ports, which differ from run to run. */
function linesOf(text: string): Set<string> {
  return new Set(text.split("\n").map((line) => line.replace(/\d+(?:[.:]\d+)*/g, "0")));
}

describe("what could not be read is said", { timeout: 300_000 }, () => {
  test.each(lines)("%s", async (line) => {
    const whole = await runWith(line);
    // It ends early for another reason, such as a missing file, or has a single read.
    if (whole.code !== 0 || whole.reads.length < 2) return;
    const needed = whole.reads
      .filter((read) => !optional.some(([command, place]) => command.test(line) && place.test(read)))
      .filter((_, index, { length }) => all || length <= few || (index + seed) % few === 0);
    for (const read of attempts.cells(needed)) {
      const { code, said } = await runWith(line, read);
      const more = [...said].filter((text) => !whole.said.has(text)).join("\n");
      expect(
        code !== 0 || /\b(?:0 Forbidden|403|unread|unknown|not (?:known|read|reported|see|shown|visible))/.test(more),
        read,
      ).toBe(true);
    }
  });
});
