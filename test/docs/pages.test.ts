import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { sandboxSession } from "../support/session.ts";
import { folderWithProgram, runScript } from "../support/shell.ts";

// The sessions (```console) of these pages are typed one after the other, as on the page, each page against a sandbox of
// its own, and what comes out is what stands there. `npx vitest run test/docs/pages.test.ts -u` writes the pages anew.

type Variables = Readonly<Record<string, string | undefined>>;

interface Page {
  name: string;
  /** The environment in place of an administrator's address and token. */
  env?(sandbox: Sandbox): Variables;
  /** What is in the folder. */
  files?(sandbox: Sandbox): Readonly<Record<string, string>>;
}

const signedOut: Variables = { FORGECTL_BASE_URL: undefined, FORGECTL_TOKEN: undefined };

const inJob = ({ url, tokens }: Sandbox): Variables => ({
  ...signedOut,
  CI: "true",
  CI_SERVER_URL: url,
  CI_JOB_TOKEN: tokens.jobToken,
  CI_PROJECT_ID: "7",
});

const nightly = `set -e
forgectl projects list -g acme --limit all --jq '.[].path_with_namespace' > projects.txt
forgectl job-token audit --projects-file projects.txt --jq '.[] | select(.open) | .project'
`;

const pages: readonly Page[] = [
  { name: "sign-in", env: () => signedOut, files: ({ tokens }) => ({ "token.txt": `${tokens.administrator}\n` }) },
  { name: "find" },
  { name: "change" },
  { name: "state" },
  { name: "ci", env: inJob },
  { name: "test-scripts", env: () => signedOut, files: () => ({ "nightly.sh": nightly }) },
];

describe("the sessions of the pages come out as they stand there", () => {
  test.each(pages)("docs/$name.md", async ({ name, env, files }) => {
    const { sandbox, env: signedIn, home } = await sandboxSession();
    const bin = folderWithProgram(home);
    const cwd = mkdtempSync(join(home, "here-"));
    for (const [file, text] of Object.entries(files?.(sandbox) ?? {})) writeFileSync(join(cwd, file), text);
    const variables = { ...signedIn, PATH: `${bin}${delimiter}${signedIn.PATH}`, ...env?.(sandbox) };
    let last: number | null = 0;
    const typed = async (line: string): Promise<string> => {
      if (line === "echo $?") return `${last}\n`;
      const { code, output } = await runScript(line.replaceAll(shown, sandbox.url), { cwd, env: variables });
      last = code;
      return asShown(output.replaceAll(home, "/home/olivia"), sandbox);
    };
    await expect(await retyped(readFileSync(`docs/${name}.md`, "utf8"), typed)).toMatchFileSnapshot(
      `../../docs/${name}.md`,
    );
  });
});

/** The address on the pages. */
const shown = "https://forge.example.com";

/** What differs from run to run is replaced by what the pages have. */
function asShown(output: string, sandbox: Sandbox): string {
  return output
    .replaceAll(sandbox.url, shown)
    .replace(/\d{8}T\d{6}Z-\w{4}/g, "20261121T164502Z-7f3a")
    .replace(/^(request-id: )\w+/gm, "$101M808KKE96XA8QMASM51MRFQF");
}

/** A page with the output of each command of its sessions, as they are typed. */
async function retyped(page: string, type: (line: string) => Promise<string>): Promise<string> {
  const parts = page.split(/(^```console\n[\s\S]*?^```$)/m);
  for (const [index, part] of parts.entries()) {
    if (!part.startsWith("```console\n")) continue;
    const lines = part.split("\n").filter((line) => line.startsWith("$ "));
    const told: string[] = [];
    for (const line of lines) told.push(`${line}\n${await type(line.slice(2))}`);
    parts[index] = `\`\`\`console\n${told.join("").replace(/\n*$/, "\n")}\`\`\``;
  }
  return parts.join("");
}
