import { expect, test } from "vitest";
import { alteringSession, type Exchange } from "../support/altering-proxy.ts";

// A registry that is pushed to while a prune reads and deletes: what was pushed since is not what was decided on.

const isList = ({ method, path }: Exchange) => method === "GET" && /\/repositories\/12\/tags(?:\?|$)/.test(path);
const keeping = "--delete-regex nightly-.* --keep-n 3 --via tags";
const prunes = [
  `registry tags prune 12 -p 7 ${keeping}`,
  `registry prune -p 7 --match acme/storefront ${keeping}`,
] as const;

test.each(prunes)("%s: a tag that two pages show counts once among the newest", async (line) => {
  const shifting = { again: "" };
  const { run } = await alteringSession((exchange) => {
    if (!isList(exchange) || shifting.again === "" || !Array.isArray(exchange.body)) return undefined;
    const again = exchange.body.filter(({ name }) => name === shifting.again);
    return { body: [...exchange.body, ...again] };
  });
  const kept = async () => {
    const { code, stdout } = await run(...line.split(" "), "--dry-run", "-o", "json");
    expect(code).toBe(0);
    const rows = JSON.parse(stdout) as { name: string; rule: string }[];
    return rows.flatMap(({ name, rule }) => (rule === "keep_n" ? [name] : []));
  };
  const before = await kept();
  expect(before).toHaveLength(3);
  shifting.again = before.toSorted().at(-1) ?? "";
  expect(shifting.again).toMatch(/^nightly-/);
  expect(await kept()).toEqual(before);
});

test.each(prunes)("%s: a tag that was pushed again after the rules decided on its age is kept", async (line) => {
  const state = { isDeciding: true, moved: "-" };
  const { run, seen, direct } = await alteringSession((exchange) => {
    const { method, path, body } = exchange;
    if (method === "DELETE") state.isDeciding = false;
    const [, name = ""] = /\/tags\/([^/?]+)$/.exec(path) ?? [];
    if (state.isDeciding || method !== "GET" || name !== state.moved) return undefined;
    return { body: { ...(body as object), digest: `sha256:${"0".repeat(64)}`, created_at: new Date().toISOString() } };
  });
  const list = "registry tags list 12 -p 7 --limit all".split(" ");
  const { stdout: names } = await direct.run(...list, "--jq", '.[].name | select(startswith("nightly-"))');
  const oldest = names.trim().split("\n").toSorted().slice(0, 10);
  state.moved = oldest[5] as string;
  const words = line.replace("nightly-.*", oldest.join("|")).split(" ");
  const { code, stdout } = await run(...words, "--yes", "--concurrency", "1", "-o", "json");
  const rows = JSON.parse(stdout) as { name?: string; tag_name?: string; status: string; error: string | null }[];
  const moved = rows.filter(({ status }) => status !== "deleted");
  expect([code, rows.length]).toEqual([9, 7]);
  expect(moved).toEqual([
    expect.objectContaining({ status: "stale", error: expect.stringContaining("points at another image by now") }),
  ]);
  expect(moved[0]?.name ?? moved[0]?.tag_name).toBe(state.moved);
  expect(seen.filter((each) => each.startsWith("DELETE ") && each.includes(state.moved))).toEqual([]);
});

test("selected by name alone, tags are deleted without another look", async () => {
  const { run, seen } = await alteringSession(() => undefined);
  const words = "registry tags prune 12 -p 7 --delete-regex nightly-.* --via tags --yes".split(" ");
  expect((await run(...words)).code).toBe(0);
  expect(seen.filter((each) => each.startsWith("GET ") && each.includes("/tags/"))).toEqual([]);
});

test("uploads prune: a file that two pages show counts once among the newest", async () => {
  const isUploads = ({ method, path }: Exchange) => method === "GET" && /\/uploads(?:\?|$)/.test(path);
  const { run } = await alteringSession((exchange) => {
    if (!isUploads(exchange) || !Array.isArray(exchange.body)) return undefined;
    return { body: [...exchange.body.slice(0, 1), ...exchange.body] };
  });
  const words = "uploads prune -p acme/storefront --older-than 1d --keep-n 2 --dry-run -o json".split(" ");
  const rows = JSON.parse((await run(...words)).stdout) as { id: number; rule: string }[];
  const kept = rows.flatMap(({ id, rule }) => (rule === "keep_n" ? [id] : []));
  expect([kept.length, new Set(kept).size]).toEqual([2, 2]);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
});
