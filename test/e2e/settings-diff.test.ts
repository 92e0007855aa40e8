import { expect, test } from "vitest";
import { seeded } from "../support/random-state.ts";
import { sandboxSession, session } from "../support/session.ts";

// `settings diff` compares every profile with every other, and all keys of settings that are objects.

const name = "repository_storages_weighted";
const place = session({});
const profiles = ["one", "two", "three"] as const;

/** The instance of a profile, whose setting the tests set. */
async function stored(profile: string) {
  const { sandbox } = await sandboxSession({ asDeployed: true });
  const token = sandbox.tokens.administrator;
  const words = ["--profile", profile, "--base-url", sandbox.url, "--token-stdin", "--insecure-storage"];
  expect((await place.run("auth", "login", ...words, { input: token })).code).toBe(0);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return async (value: object) => {
    const body = JSON.stringify({ [name]: value });
    const { status } = await fetch(`${sandbox.url}/api/v4/application/settings`, { method: "PUT", headers, body });
    expect(status).toBe(200);
  };
}

const differing = async (...order: string[]) => {
  const { code, stdout, stderr } = await place.run("settings", "diff", ...order, "--exit-code", "--jq", ".[].name");
  expect([0, 10], stderr).toContain(code);
  const names = stdout.split("\n").filter((each) => each !== "");
  expect(names.length > 0).toBe(code === 10);
  return names.includes(name);
};

test("the order of the profiles makes no difference", { timeout: 60_000 }, async () => {
  const set = [];
  for (const profile of profiles) set.push(await stored(profile));
  const random = seeded(Number(process.env.FORGECTL_TEST_SEED ?? 4));
  const some = () =>
    Object.fromEntries(["default", "nas", "tape"].flatMap((key) => (random() < 0.5 ? [[key, 1]] : [])));
  const keysOf = (value: object) => Object.keys(value).join();
  for (let round = 0; round < 6; round++) {
    // The first has fewer keys in the first round.
    const values = round === 0 ? [{ default: 1 }, { default: 1, nas: 1 }, { default: 1 }] : profiles.map(some);
    for (const [at, value] of values.entries()) await set[at]?.(value);
    const [one = "", two = "", three = ""] = values.map(keysOf);
    const shown = JSON.stringify(values);
    expect([await differing("one", "two"), await differing("two", "one")], shown).toEqual(Array(2).fill(one !== two));
    const isSame = one === two && two === three;
    expect([await differing("one", "two", "three"), await differing("three", "two", "one")], shown).toEqual(
      Array(2).fill(!isSame),
    );
  }
});
