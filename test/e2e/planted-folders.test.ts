import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { json, signedIn } from "../support/answering.ts";
import { type Session, sandboxSession, session } from "../support/session.ts";

// Folders and links of other users on the way to a folder of the program, as in a HOME that everybody writes to: what
// lies there may be a file of this user's own, such as one of a checkout, with another person's text.

const another = 12_345;
const isRoot = process.geteuid?.() === 0;

let sandbox: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  sandbox = await sandboxSession();
});

/** Without XDG_CONFIG_HOME: the profiles are below HOME. */
const home = (env: Readonly<Record<string, string>> = {}) => session({ ...env, XDG_CONFIG_HOME: undefined });

/** A checkout of this user's with profiles of another person. */
function checkoutIn(place: Session, work: Readonly<Record<string, string>>): string {
  const checkout = join(place.home, "checkout");
  mkdirSync(checkout, { mode: 0o700 });
  writeFileSync(join(checkout, "profiles.json"), JSON.stringify({ version: 1, current: "work", profiles: { work } }), {
    mode: 0o600,
  });
  return checkout;
}

const ofAnother = (path: string) => lchownSync(path, another, another);

/** The ways in which another user leads to the checkout; each returns the part that is theirs. */
const ways: Record<string, (place: Session, checkout: string) => string> = {
  "a link": ({ home }, checkout) => {
    mkdirSync(join(home, ".config"));
    const link = join(home, ".config/forgectl");
    symlinkSync(checkout, link);
    ofAnother(link);
    return link;
  },
  "a link above it": ({ home }, checkout) => {
    const above = join(home, "above");
    mkdirSync(above);
    symlinkSync(checkout, join(above, "forgectl"));
    const link = join(home, ".config");
    symlinkSync(above, link);
    ofAnother(link);
    return link;
  },
  "a folder": ({ home }, checkout) => {
    const folder = join(home, ".config");
    mkdirSync(folder);
    symlinkSync(checkout, join(folder, "forgectl"));
    ofAnother(folder);
    return folder;
  },
};

describe.runIf(isRoot).each(Object.entries(ways))("a configuration that %s of another user leads to", (_, lead) => {
  test("has no key believed, nothing written to it, and the token stays", async () => {
    const theirs = await signedIn(json(200, "{}"));
    const address = theirs.env.FORGECTL_BASE_URL as string;
    const place = home({ FORGECTL_TOKEN: "glpat-own" });
    const proof = join(place.home, "OWNED");
    const work = { "base-url": address, proxy: address, "token-command": `touch '${proof}'; echo x` };
    const checkout = checkoutIn(place, work);
    const part = lead(place, checkout);
    for (const line of ["users me", "profiles list", "profiles set work timeout=5"]) {
      const { code, stdout, stderr } = await place.run(...line.split(" "));
      expect([code, stdout, stderr.split("\n").slice(0, 3)]).toEqual([
        2,
        "",
        [
          `error: ${part} belongs to another user`,
          "cause: the folder of the profiles, and what leads to it, must be this user's or root's unless it was named",
          "try:   check who made it, and what it leads to; then remove it, or name the folder with FORGECTL_CONFIG_DIR",
        ],
      ]);
    }
    const { stdout } = await place.run("doctor", "--offline", "-o", "json");
    expect(JSON.parse(stdout)[0]).toMatchObject({
      check: "config",
      result: "fail",
      detail: expect.stringContaining(`${part} belongs to another user`),
    });
    expect([existsSync(proof), theirs.seen, readdirSync(checkout)]).toEqual([false, [], ["profiles.json"]]);
  });

  test("is not written to where it has no profiles yet", async () => {
    const place = home();
    const empty = join(place.home, "empty");
    mkdirSync(empty);
    const part = lead(place, empty);
    const { code, stderr } = await place.run("profiles", "set", "work", "timeout=5");
    expect([code, stderr.split("\n")[0]]).toEqual([2, `error: ${part} belongs to another user`]);
    expect(readdirSync(empty)).toEqual([]);
  });

  test("gets no folder of this user, which would lock the other one out", async () => {
    const place = home();
    const empty = join(place.home, "empty");
    mkdirSync(empty);
    ofAnother(empty);
    symlinkSync(empty, join(place.home, ".config"));
    ofAnother(join(place.home, ".config"));
    expect((await place.run("profiles", "set", "work", "timeout=5")).code).toBe(2);
    expect(readdirSync(empty)).toEqual([]);
  });

  test("is read if the environment names it", async () => {
    const place = home({ FORGECTL_TOKEN: sandbox.sandbox.tokens.administrator });
    const part = lead(place, checkoutIn(place, { "base-url": sandbox.sandbox.url }));
    const FORGECTL_CONFIG_DIR = part.endsWith("forgectl") ? part : join(part, "forgectl");
    const { stdout } = await place.run("users", "me", "--fields", "username", { env: { FORGECTL_CONFIG_DIR } });
    expect(stdout).toContain("root");
  });
});

// A home folder that is missing, such as one in /tmp after a start of the machine, is anybody's to make.
describe.runIf(isRoot).each([
  ["the home folder itself", (home: string) => ({ HOME: home }), ""],
  ["a folder above it", (home: string) => ({ HOME: join(home, "svc") }), "svc"],
  ["XDG_CONFIG_HOME", (home: string) => ({ XDG_CONFIG_HOME: join(home, ".config") }), ""],
])("a link of another user: %s", (_, variables, below) => {
  test("leads to no configuration and no records", async () => {
    const theirs = await signedIn(json(200, "{}"));
    const place = home({ FORGECTL_TOKEN: "glpat-own" });
    const checkout = checkoutIn(place, { "base-url": theirs.env.FORGECTL_BASE_URL as string });
    mkdirSync(join(place.home, below, ".config"), { recursive: true });
    renameSync(checkout, join(place.home, below, ".config/forgectl"));
    renameSync(place.home, `${place.home}-real`);
    symlinkSync(`${place.home}-real`, place.home);
    ofAnother(place.home);
    const refused = [2, "", `error: ${place.home} belongs to another user`];
    for (const line of ["users me", "profiles set work timeout=5"]) {
      const { code, stdout, stderr } = await place.run(...line.split(" "), { env: variables(place.home) });
      expect([code, stdout, stderr.split("\n")[0]]).toEqual(refused);
    }
    const url = {
      FORGECTL_CONFIG_DIR: join(place.home, below, ".config/forgectl"),
      FORGECTL_BASE_URL: "http://127.0.0.1:9",
    };
    const { code, stderr } = await place.run("state", "history", { env: { ...variables(place.home), ...url } });
    expect([code, stderr.split("\n")[0]]).toEqual([2, refused[2]]);
    expect(theirs.seen).toEqual([]);
  });
});

test("folders that a group may write to, and this user's own links, lead to a configuration", async () => {
  const place = home({ FORGECTL_TOKEN: sandbox.sandbox.tokens.administrator });
  const checkout = checkoutIn(place, { "base-url": sandbox.sandbox.url });
  mkdirSync(join(place.home, ".config"));
  chmodSync(join(place.home, ".config"), 0o775);
  chmodSync(checkout, 0o775);
  symlinkSync(checkout, join(place.home, ".config/forgectl"));
  expect((await place.run("users", "me", "--fields", "username")).stdout).toContain("root");
});

describe.runIf(isRoot)("the records of runs", () => {
  const line = ["state", "history"];
  const ofSandbox = () =>
    home({ FORGECTL_BASE_URL: sandbox.sandbox.url, FORGECTL_TOKEN: sandbox.sandbox.tokens.administrator });

  test("are neither read nor written where a link of another user leads", async () => {
    const place = ofSandbox();
    const web = join(place.home, "web");
    mkdirSync(web);
    mkdirSync(join(place.home, ".local/state"), { recursive: true });
    const link = join(place.home, ".local/state/forgectl");
    symlinkSync(web, link);
    ofAnother(link);
    const { code, stderr } = await place.run(...line);
    expect([code, stderr.split("\n")[0]]).toEqual([2, `error: ${link} belongs to another user`]);
    expect(readdirSync(web)).toEqual([]);
    expect((await place.run(...line, { env: { FORGECTL_STATE_DIR: link } })).code).toBe(0);
  });

  test("are not those that a link of another user names", async () => {
    const place = ofSandbox();
    const state = join(place.home, ".local/state/forgectl");
    const own = join(place.home, "own");
    for (const folder of [own, join(state, "jobs"), join(state, "runs")]) mkdirSync(folder, { recursive: true });
    const write = (name: string, value: object) =>
      writeFileSync(join(own, name), `${JSON.stringify(value)}\n`, { mode: 0o600 });
    write("asked.json", { job: "each" });
    const instance = sandbox.sandbox.url;
    const started = "2026-01-01T00:00:00.000Z";
    write("journal.ndjson", { run: "20260101T000000Z-aaaa", instance, what: "apply", started });
    for (const name of ["jobs/20200101T000000Z-aaaa", "jobs/20990101T000000Z-aaaa", "runs/20260101T000000Z-aaaa"]) {
      symlinkSync(own, join(state, name));
      ofAnother(join(state, name));
    }
    const each = ["each", "--projects-file", "-", "--yes", "--", "job-token", "limit", "on"];
    expect((await place.run(...each, { input: "acme/docs\n" })).code).toBe(0);
    const { code, stderr } = await place.run("each", "--resume", "20990101T000000Z-aaaa", "--yes");
    expect([code, stderr]).toEqual([2, expect.stringContaining("has no such run of this user")]);
    expect((await place.run(...line, "-o", "json")).stdout.trim()).toBe("[]");
    expect((await place.run("state", "show", "20260101T000000Z-aaaa")).code).toBe(2);
    expect(readdirSync(own)).toEqual(["asked.json", "journal.ndjson"]);
  });

  test("are read below a folder that another user made, as the builder of an image does", async () => {
    const place = ofSandbox();
    mkdirSync(join(place.home, ".local"));
    ofAnother(join(place.home, ".local"));
    expect((await place.run(...line)).code).toBe(0);
  });
});
