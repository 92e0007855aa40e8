import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cachingInstance } from "../support/caching-instance.ts";
import { session } from "../support/session.ts";

// Each process of an instance caches the settings for itself: a read may show an older copy than the read before it.

const address = "codesearch_url=https://new.example";
const on = "codesearch_enabled=true";

async function caching() {
  const stored = {
    codesearch_enabled: false,
    codesearch_url: "https://old.example",
    sign_in_restrictions: { a: 1, b: 1 },
  };
  const instance = await cachingInstance(1, stored);
  const { home, run } = session({
    ...{ FORGECTL_BASE_URL: instance.url, FORGECTL_TOKEN: "t0ken-of-nobody", FORGECTL_RETRIES: "0" },
  });
  const set = (...words: string[]) => run("settings", "set", ...words, "--yes");
  const apply = (text: string) => {
    writeFileSync(join(home, "settings.yaml"), text);
    return run(..."settings apply -f settings.yaml --yes --no-header".split(" "));
  };
  return { ...instance, home, run, set, apply };
}

describe("a change that was lost leaves what it sent along as this machine set it before", () => {
  test("in the next line that sends it along", async () => {
    const { set, apply, meet, show, settings } = await caching();
    show(0);
    expect((await set(address)).code).toBe(0);
    meet("lost, not made");
    expect((await set(on)).code).toBe(1);
    expect((await apply("codesearch_enabled: true\n")).code).toBe(1);
    meet("made");
    const { stderr } = await set(on);
    expect([stderr, settings()]).toEqual([
      expect.stringContaining("sent along as they were read"),
      expect.objectContaining({ codesearch_enabled: true, codesearch_url: "https://new.example" }),
    ]);
  });

  test("the undo line names what was there", async () => {
    const { set, meet, show } = await caching();
    show(0);
    await set(address);
    meet("lost, not made");
    await set(address);
    meet("made");
    const { stderr } = await set("codesearch_url=https://newer.example");
    expect(stderr).toContain(`undo: forgectl settings set ${address} `);
  });
});

describe("an older copy than the one that was planned on shows nothing new", () => {
  test("settings apply does not call unchanged what such a copy shows", async () => {
    const { set, apply, show, settings } = await caching();
    show(0);
    await set(address);
    show(1, 0);
    const { code, stdout } = await apply("codesearch_url: https://old.example\n");
    expect([code, stdout, settings().codesearch_url]).toEqual([
      0,
      "#settings\tupdate\tdone\t\n",
      "https://old.example",
    ]);
  });

  test("nor what was changed before that copy, another change", async () => {
    const { set, apply, show, settings } = await caching();
    show(0);
    await set(address);
    await set("codesearch_url=https://newer.example");
    show(1, 0);
    const { code, stdout } = await apply("codesearch_url: https://newest.example\n");
    expect([code, stdout, settings().codesearch_url]).toEqual([
      0,
      "#settings\tupdate\tdone\t\n",
      "https://newest.example",
    ]);
  });

  test.each([
    ["settings apply", ["apply", "codesearch_url: https://old.example\n"]],
    ["settings set", ["set", "codesearch_url=https://old.example"]],
  ] as const)("a lost %s is not called made by it", async (_, [how, what]) => {
    const place = await caching();
    // By another machine.
    await place.run("api", "-X", "PUT", "application/settings", "-f", address);
    place.show(1, ...(how === "apply" ? [1] : []), 0);
    place.meet("lost, not made");
    const { code } = await place[how](what);
    expect([code, place.settings().codesearch_url]).toEqual([1, "https://new.example"]);
  });
});

test("the keys of a hash that may have been changed are not sent along with another one", async () => {
  const { set, apply, show, meet, settings } = await caching();
  show(0);
  meet("lost, made");
  expect((await set('sign_in_restrictions={"a":2}')).code).toBe(1);
  meet("made");
  const { code, stdout } = await apply("sign_in_restrictions: { b: 2 }\n");
  const reason = "sign_in_restrictions.a must be sent along, and may have been changed a moment ago";
  expect([code, stdout, settings().sign_in_restrictions]).toEqual([9, expect.stringContaining(reason), { a: 2, b: 1 }]);
  expect((await apply("sign_in_restrictions: { a: 3, b: 2 }\n")).code).toBe(0);
});

test("an answer is not cached: what it shows as an older copy did was changed", async () => {
  const { set, apply, show, settings } = await caching();
  show(0);
  await set(on);
  const { code, stdout } = await apply('codesearch_enabled: false\ncodesearch_url: " https://old.example "\n');
  expect([code, stdout, settings().codesearch_enabled]).toEqual([9, expect.stringContaining("\taltered\t"), false]);
});

test("a lost change back to what was there before another lost one is not called made", async () => {
  const { set, show, meet, settings } = await caching();
  show(0);
  meet("lost, made");
  expect((await set(on)).code).toBe(1);
  meet("lost, not made");
  expect([(await set("codesearch_enabled=false")).code, settings().codesearch_enabled]).toEqual([1, true]);
});

test("settings set says so where what this machine wrote cannot be looked up", async () => {
  const { home, set, show } = await caching();
  show(0);
  const run = join(home, ".local/state/forgectl/runs/20261126T201500Z-abcd");
  mkdirSync(join(run, "journal.ndjson"), { recursive: true });
  await set(address);
  const { stderr } = await set(on);
  expect(stderr).toContain("warning: what this machine changed a moment ago cannot be looked up (");
});

test("lines of a batch change settings one after the other: none sends along what another has changed", async () => {
  const { home, run, show, meet, settings } = await caching();
  show(0);
  meet("made late");
  const lines = [address, on].map((word) => JSON.stringify({ args: ["settings", "set", word] }));
  writeFileSync(join(home, "lines.ndjson"), lines.join("\n"));
  expect((await run("batch", "lines.ndjson", "--yes")).code).toBe(0);
  expect(settings()).toMatchObject({ codesearch_enabled: true, codesearch_url: "https://new.example" });
});

describe("what a line of a batch has made stands, though the instance shows it to no other line", () => {
  const hash = "sign_in_restrictions";
  const file = (key: string) => ["settings", "apply", "-f", `${key}.yaml`];
  const set = (key: string) => ["settings", "set", `${hash}={"${key}":2}`];

  test.each([
    ["two files", [file("a"), file("b")]],
    ["a file, and a setting", [file("a"), set("b")]],
    ["a setting, and a file", [set("a"), file("b")]],
  ])("keys of one hash by %s", async (_, commands) => {
    const { home, run, show, settings } = await caching();
    show(0);
    for (const key of ["a", "b"]) writeFileSync(join(home, `${key}.yaml`), `${hash}: { ${key}: 2 }\n`);
    writeFileSync(join(home, "lines.ndjson"), commands.map((args) => JSON.stringify({ args })).join("\n"));
    const { stdout } = await run("batch", "lines.ndjson", "--yes", "-o", "ndjson");
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows.map(({ status }) => status)).toContain("done");
    expect(rows.filter(({ exit }) => exit !== 0 && exit !== 6)).toEqual([]);
    const made = rows.map(({ line, exit }) => [line === 1 ? "a" : "b", exit === 0 ? 2 : 1]);
    expect(settings()[hash]).toEqual(Object.fromEntries(made));
  });
});
