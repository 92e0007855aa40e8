import { chmod, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { commandsIn } from "../../src/command/describe.ts";
import { groups } from "../../src/commands/index.ts";
import { binary, node, type Session, session } from "../support/session.ts";

// Every example is typed into a shell as it stands, against a fresh sandbox each.

const tried = ["notes", "discussions", "hooks", "saml", "scim", "ldap", "groups"];
const nodes = await Promise.all(groups.filter(({ name }) => tried.includes(name)).map((entry) => entry.load()));
const lines = nodes
  .flatMap((each) => [...commandsIn(each)])
  .flatMap(({ command }) => command.examples.map(({ line }) => line));

/** Those that have nobody to talk to here: a person's text in the editor, and a person's yes. */
const editor = /^notes update(?!.*--body)/;
const asks = /^\S+(?: \S+)? (?:delete|remove) (?!.*--yes)/;

let here: Session;
beforeAll(async () => {
  here = session();
  const shim = join(here.home, "forgectl");
  await writeFile(shim, `#!/bin/sh\nexec "${node}" "${binary}" "$@"\n`);
  await chmod(shim, 0o755);
  await writeFile(join(here.home, "token.txt"), "an-example-token\n");
  await writeFile(join(here.home, "report.md"), "# Report\n");
  await writeFile(join(here.home, "question.md"), "Why?\n");
});

function type(line: string, ...flags: string[]) {
  const env = { PATH: `${here.home}${delimiter}${process.env.PATH}` };
  return here.run("sandbox", "exec", ...flags, "--", "sh", "-c", line, { env });
}

describe.concurrent("the examples of the help work as typed", () => {
  test.each(lines)("%s", async (line) => {
    const hosting = line.includes(" identities ") ? "hosted" : "self-managed";
    const before = line.startsWith("groups import")
      ? "forgectl groups export -g acme -qO acme.tar.gz >/dev/null && "
      : "";
    const typed = `${before}forgectl ${line}${asks.test(line) ? " --yes" : ""}`;
    const { code, stderr } = await type(typed, "--hosting", hosting);
    if (editor.test(line)) expect(stderr).toContain("error: there is no text to send\n");
    else expect([code, stderr.includes("error:")], stderr).toEqual([0, false]);
  });
});

test("they are all of them", () => expect(lines.length).toBeGreaterThan(60));
