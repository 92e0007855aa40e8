import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { json, signedIn } from "../support/answering.ts";
import { type Session, sandboxSession, session } from "../support/session.ts";

// Files of other users where the program looks: what they say is neither run nor believed.

let sandbox: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  sandbox = await sandboxSession();
});

/** Profiles whose token command proves that it ran. */
function commandIn(folder: string, place: Session): { path: string; ran: () => boolean } {
  const proof = join(place.home, "OWNED");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "profiles.json");
  const work = {
    "base-url": sandbox.sandbox.url,
    "token-command": `touch '${proof}'; echo ${sandbox.sandbox.tokens.administrator}`,
  };
  writeFileSync(path, JSON.stringify({ version: 1, current: "work", profiles: { work } }), { mode: 0o600 });
  return { path, ran: () => existsSync(proof) };
}

/** Profiles without a command. */
function plainIn(folder: string, work: Readonly<Record<string, string>>): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "profiles.json");
  writeFileSync(path, JSON.stringify({ version: 1, current: "work", profiles: { work } }), { mode: 0o600 });
  return path;
}

const isRoot = process.geteuid?.() === 0;
const linked = (path: string, real = `${path}.real`) => {
  renameSync(path, real);
  symlinkSync(real, path);
};

const plants: Record<string, { is: string; make: (path: string) => void }> = {
  "from a checkout": { is: "can be read or written by others", make: (path) => chmodSync(path, 0o644) },
  "behind a link": { is: "is a link, or has several names", make: linked },
};

describe.each(Object.entries(plants))("a configuration %s", (_, { is, make }) => {
  test("has its token-command neither run nor stored as this user's", async () => {
    const place = session();
    const { path, ran } = commandIn(join(place.home, ".config/forgectl"), place);
    expect((await place.run("users", "me", "--fields", "username")).code).toBe(0);
    expect(ran()).toBe(true);

    const other = session();
    const planted = commandIn(join(other.home, ".config/forgectl"), other);
    make(planted.path);
    const text = readFileSync(planted.path, "utf8");
    const lines = [
      ["users", "me"],
      ["auth", "token"],
      ["profiles", "set", "work", "timeout=5"],
    ];
    for (const line of lines) {
      const { code, stdout, stderr } = await other.run(...line);
      expect([code, stdout, stderr.split("\n").slice(0, 2)]).toEqual([
        2,
        "",
        [
          `error: ${planted.path} ${is}`,
          "cause: a configuration with a token-command must be a private file of this user",
        ],
      ]);
    }
    await other.run("doctor");
    expect([planted.ran(), readFileSync(planted.path, "utf8")]).toEqual([false, text]);
    // Another token is used as before.
    const env = { FORGECTL_TOKEN: sandbox.sandbox.tokens.administrator };
    expect((await other.run("users", "me", "--fields", "username", { env })).stdout).toContain("root");
    expect(planted.ran()).toBe(false);
    expect(path).not.toBe(planted.path);
  });
});

/** Files that another user may have written. */
const foreign: Record<string, { is: string; make: (path: string) => void }> = {
  "written by everybody": { is: "can be written by others", make: (path) => chmodSync(path, 0o606) },
  "written by a group": { is: "can be written by others", make: (path) => chmodSync(path, 0o660) },
  "behind a link to one that others write": {
    is: "can be written by others",
    make: (path) => {
      linked(path);
      chmodSync(path, 0o666);
    },
  },
  ...(isRoot && {
    "of another user": { is: "belongs to another user", make: (path: string) => chownSync(path, 12_345, 12_345) },
    "behind a link of another user": {
      is: "belongs to another user",
      make: (path: string) => {
        linked(path);
        lchownSync(path, 12_345, 12_345);
      },
    },
    "behind a link to one of another user": {
      is: "belongs to another user",
      make: (path: string) => {
        linked(path);
        chownSync(path, 12_345, 12_345);
      },
    },
  }),
};

describe.each(Object.entries(foreign))("a configuration %s", (_, { is, make }) => {
  const env = { FORGECTL_TOKEN: "glpat-own" };

  test("has no key believed, whatever the environment gives", async () => {
    const other = await signedIn(json(200, "{}"));
    const address = other.env.FORGECTL_BASE_URL as string;
    const place = session(env);
    const path = plainIn(join(place.home, ".config/forgectl"), { "base-url": address, proxy: address });
    make(path);
    const text = readFileSync(path, "utf8");
    for (const line of ["users me", "profiles list", "profiles set work timeout=5"]) {
      const { code, stdout, stderr } = await place.run(...line.split(" "));
      expect([code, stdout, stderr.split("\n").slice(0, 3)]).toEqual([
        2,
        "",
        [
          `error: ${path} ${is}`,
          "cause: a configuration that is found by itself must be written by this user or root alone",
          expect.stringMatching(/^try: {3}check .*; or name its folder with FORGECTL_CONFIG_DIR$/),
        ],
      ]);
    }
    const { stdout } = await place.run("doctor", "--offline", "-o", "json");
    expect(JSON.parse(stdout)[0]).toMatchObject({
      check: "config",
      result: "fail",
      detail: expect.stringContaining(`${path} ${is}: `),
    });
    expect([readFileSync(path, "utf8"), other.seen]).toEqual([text, []]);
  });

  test("is one that was named, if the environment names its folder", async () => {
    const place = session({ ...env, FORGECTL_TOKEN: sandbox.sandbox.tokens.administrator });
    const folder = join(place.home, "mounted");
    make(plainIn(folder, { "base-url": sandbox.sandbox.url }));
    const named = { env: { FORGECTL_CONFIG_DIR: folder } };
    expect((await place.run("users", "me", "--fields", "username", named)).stdout).toContain("root");
  });
});

test.each([
  ["readable by everybody", (path: string) => chmodSync(path, 0o644)],
  ["behind a link of this user, as tools for dotfiles make them", linked],
  ["with two names", (path: string) => linkSync(path, `${path}.copy`)],
] as [string, (path: string) => void][])("a configuration %s is read", async (_, make) => {
  const place = session({ FORGECTL_TOKEN: sandbox.sandbox.tokens.administrator });
  make(plainIn(join(place.home, ".config/forgectl"), { "base-url": sandbox.sandbox.url }));
  expect((await place.run("users", "me", "--fields", "username")).stdout).toContain("root");
});

describe("a folder of the current one", () => {
  test.each([
    ["an empty HOME", { HOME: "" }],
    ["a relative HOME", { HOME: "." }],
    ["a HOME below it", { HOME: "sub" }],
  ])("is not where the profiles are, by %s", async (_, env) => {
    const place = session();
    const at = join(place.home, env.HOME);
    const { ran } = commandIn(join(at, ".config/forgectl"), place);
    const whole = { env: { ...env, XDG_CONFIG_HOME: undefined }, cwd: place.home, asProcess: true };
    const { stdout } = await place.run("profiles", "path", whole);
    expect(stdout).toBe(`${join(userInfo().homedir, ".config/forgectl/profiles.json")}\n`);
    await place.run("users", "me", whole);
    expect(ran()).toBe(false);
  });

  test.each(["FORGECTL_CONFIG_DIR", "FORGECTL_STATE_DIR"])("is refused in %s", async (name) => {
    const place = session();
    const { ran } = commandIn(join(place.home, "own"), place);
    const { code, stderr } = await place.run("users", "me", { env: { [name]: "own" }, cwd: place.home });
    expect([code, stderr.split("\n")[0], ran()]).toEqual([2, `error: ${name}: "own" is not an absolute path`, false]);
  });
});

test("the record of a run that others may have written is not rolled back", async () => {
  const { home, run } = sandbox;
  const folder = join(home, ".local/state/forgectl/runs/20261121T164502Z-7f3a");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "journal.ndjson");
  const head = { run: "20261121T164502Z-7f3a", instance: sandbox.sandbox.url, what: "apply", started: "2026-11-21" };
  writeFileSync(path, `${JSON.stringify(head)}\n`, { mode: 0o600 });
  expect((await run("state", "history", "-o", "json")).code).toBe(0);
  chmodSync(path, 0o666);
  for (const line of [
    ["state", "history"],
    ["state", "rollback", head.run, "--yes"],
  ]) {
    const { code, stderr } = await run(...line);
    expect([code, stderr.split("\n")[0]]).toEqual([2, `error: ${path} can be read or written by others`]);
  }
});
