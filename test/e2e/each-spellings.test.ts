import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";

// A list that was put together from several sources: paths with a slash at their end, and addresses of pages.

const instance = await sandboxSession();
const file = join(instance.home, "projects.txt");
const address = `${instance.sandbox.url}/acme/docs/-/issues`;

test("a project is changed once, however the list names it", async () => {
  writeFileSync(file, `acme/docs\nacme/docs/\n${address}\nACME/Docs\n2\nacme/website/\n`);
  const create = "--yes -- notes create --issue 1 --body twice".split(" ");
  const { code, stdout } = await instance.run("each", "--projects-file", file, "-o", "json", ...create);
  expect([code, JSON.parse(stdout).map(({ project }: { project: string }) => project)]).toEqual([
    0,
    ["acme/docs", "acme/website"],
  ]);
  const { stdout: notes } = await instance.run(..."notes list --issue 1 -p acme/docs -L all -o json".split(" "));
  expect(JSON.parse(notes).filter(({ body }: { body: string }) => body === "twice")).toHaveLength(1);
});

test("--match finds a path with a slash at its end, and an address", async () => {
  writeFileSync(file, `acme/docs/\nacme/website\n${instance.sandbox.url}/acme/storefront\n`);
  const { code, stdout } = await instance.run(
    ...`each --projects-file ${file} --match acme/* --no-header -- job-token get`.split(" "),
  );
  expect([code, stdout.split("\n").map((line) => line.split("\t")[0])]).toEqual([
    0,
    ["acme/docs", "acme/website", "acme/storefront", ""],
  ]);
});

test("an audit reads it once, and what is below a group with a slash at its end", async () => {
  writeFileSync(file, `acme/docs/\n${address}\n`);
  const { code, stdout } = await instance.run(
    ...`job-token audit -p acme/docs --projects-file ${file} --no-header`.split(" "),
  );
  expect([code, stdout.trim().split("\n")]).toEqual([0, ["acme/docs\ttrue"]]);
  for (const line of [
    "each --projects-of acme/platform/ -- job-token get",
    "job-token audit -g acme/platform/",
    "envs audit -g acme/platform/",
    "hooks audit -g acme/platform/",
    "audit -g acme/platform/",
    "state export -g acme/platform/ -O -",
  ]) {
    const [typed, other] = await Promise.all(
      [line, line.replace("platform/", "platform")].map((words) => instance.run(...words.split(" "))),
    );
    expect([line, typed?.code, typed?.stdout]).toEqual([line, 0, other?.stdout]);
  }
});

test("an address of another instance is refused before anything is sent", async () => {
  writeFileSync(file, "acme/docs\nhttps://other.example/acme/docs\n");
  const { code, stderr } = await instance.run(...`each --projects-file ${file} --yes -- job-token limit on`.split(" "));
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(`the address is not on this instance, ${instance.sandbox.url}`),
  ]);
});
