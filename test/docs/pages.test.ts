import { expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { type Surroundings, typedPage } from "../support/typed-page.ts";

// The sessions (```console) of these pages are run as written. `npx vitest run test/docs/pages.test.ts -u` updates
// their output.

const signedOut = { FORGECTL_BASE_URL: undefined, FORGECTL_TOKEN: undefined };

const inJob = ({ url, tokens }: Sandbox) => ({
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

const pages: readonly ({ name: string } & Surroundings)[] = [
  { name: "sign-in", env: () => signedOut, files: ({ tokens }) => ({ "token.txt": `${tokens.administrator}\n` }) },
  { name: "find" },
  { name: "change" },
  { name: "many" },
  { name: "state" },
  { name: "ci", env: inJob },
  { name: "test-scripts", env: () => signedOut, files: () => ({ "nightly.sh": nightly }) },
];

test.each(pages)("the sessions of the docs page $name run as shown", async ({ name, ...surroundings }) => {
  await expect(await typedPage(`docs/${name}.md`, surroundings)).toMatchFileSnapshot(`../../docs/${name}.md`);
});
