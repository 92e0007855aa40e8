import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const pages = ["README.md", ...readdirSync("docs").flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : []))];

/** The names that headings of a page have in links. */
function anchors(path: string): string[] {
  const titles = [...readFileSync(path, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) => title.toLowerCase());
  return titles.map((title) => title.replace(/[^\p{L}\d _-]/gu, "").replaceAll(" ", "-"));
}

test.each(pages)("every link of %s works", (page) => {
  const links = [...readFileSync(page, "utf8").matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  const broken = links.filter((link) => {
    if (/^https?:/.test(link)) return false;
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page : join(dirname(page), path);
    return !existsSync(target) || (anchor !== undefined && !anchors(target).includes(anchor));
  });
  expect(broken).toEqual([]);
});

test("what README links to is in the npm package", () => {
  const { files } = JSON.parse(readFileSync("package.json", "utf8")) as { files: string[] };
  const links = [...readFileSync("README.md", "utf8").matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(
    ([, link = ""]) => link,
  );
  expect(links.length).toBeGreaterThan(8);
  expect(links.filter((link) => !files.some((name) => link === name || link.startsWith(`${name}/`)))).toEqual([]);
});

test("every page is linked from docs/README.md", () => {
  const start = readFileSync("docs/README.md", "utf8");
  const names = pages.filter((page) => /^docs\/(?!README)/.test(page)).map((page) => page.slice("docs/".length));
  expect(names.filter((name) => !start.includes(`](${name})`))).toEqual([]);
});
