import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { globOf } from "../../src/base/glob.ts";
import { sampled } from "../support/examples.ts";
import { environmentOf, fill, type Job, readTemplate } from "../support/pipeline.ts";
import { sandboxSession } from "../support/session.ts";
import { folderWithProgram, runScript } from "../support/shell.ts";

// A repository that has files, links, or folders of the names that a job stores: they are not what the job stores, and
// nothing is written through them.

const { sandbox, home, env } = await sandboxSession();
const bin = folderWithProgram(home);
const ci = {
  ...env,
  PATH: `${bin}${delimiter}${env.PATH}`,
  FORGECTL_BASE_URL: undefined,
  FORGECTL_TOKEN: undefined,
  CI: "true",
  CI_SERVER_URL: sandbox.url,
  CI_JOB_TOKEN: sandbox.tokens.jobToken,
  CI_PROJECT_ID: "7",
  CI_PROJECT_PATH: "acme/storefront",
  CI_JOB_ID: "900",
  CI_NODE_INDEX: "1",
  CI_NODE_TOTAL: "1",
};

const image = "registry.example.com/tools/forgectl:0.1.0";
const inputs: Readonly<Record<string, object>> = {
  "apply-state": {},
  "each-project": { group: "acme/mobile", command: "job-token get" },
  audit: { group: "acme/mobile" },
  "audit-job-tokens": { group: "acme/mobile" },
};
const jobs = Object.entries(inputs).flatMap(([template, given]) =>
  Object.entries(fill(readTemplate(`templates/${template}.yml`), { image, ...given })),
);

/** The paths that a job stores; `rows-*.csv` is planted as the rows of another part. */
const storedBy = ({ artifacts }: Job) => [...(artifacts?.paths ?? []), ...Object.values(artifacts?.reports ?? {})];
const plantedName = (path: string) => path.replace("*", "9");

const plants = {
  file: (path: string) => writeFileSync(path, "planted\n"),
  link: (path: string, outside: string) => symlinkSync(outside, path),
  folder: (path: string) => {
    mkdirSync(path);
    writeFileSync(join(path, "report.json"), "planted\n");
  },
};

async function runWith(plant: keyof typeof plants, job: Job, variables: Readonly<Record<string, string>>) {
  const cwd = mkdtempSync(join(home, "job-"));
  const outside = join(cwd, "outside");
  writeFileSync(outside, "planted\n");
  for (const path of storedBy(job)) plants[plant](join(cwd, plantedName(path)), outside);
  const environment = environmentOf(job, { ...ci, ...variables });
  const { code } = await runScript(`set -e\n${job.script.join("\n")}`, { cwd, env: environment });
  const after = await runScript((job.after_script ?? []).join("\n"), { cwd, env: environment });
  expect(readFileSync(outside, "utf8")).toBe("planted\n");
  const isStored = (name: string) => storedBy(job).some((path) => globOf(path)(name));
  const stored = readdirSync(cwd).filter(isStored);
  const texts = stored.map((name) => {
    const [path, inside] = [join(cwd, name), join(cwd, name, "report.json")];
    if (!statSync(path).isDirectory()) return readFileSync(path, "utf8");
    return existsSync(inside) ? readFileSync(inside, "utf8") : "";
  });
  return { code, texts, said: after.output };
}

// One kind for each job; with FORGECTL_TEST_EXAMPLES=all, all.
describe.each(jobs.map(([name, job], index) => ({ name, job, index })))("$name", ({ job, index }) => {
  test.each(sampled(Object.keys(plants) as (keyof typeof plants)[], 3, index))(
    "fails at its first request, with a planted %s",
    async (plant) => {
      const { code, texts, said } = await runWith(plant, job, {});
      expect(code).not.toBe(0);
      expect(texts).not.toContain("planted\n");
      expect(said).not.toContain("state rollback");
    },
  );
});

describe.each(jobs.filter(([name]) => /^(each|audit)/.test(name)))("%s", (_, job) => {
  test("a planted file is not among what a job that succeeds has read", async () => {
    const { code, texts } = await runWith("file", job, { FORGECTL_TOKEN: sandbox.tokens.administrator });
    expect(code).toBe(0);
    expect(texts.length).toBeGreaterThan(0);
    expect(texts).not.toContain("planted\n");
  });
});
