import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { groups } from "../../src/commands/index.ts";
import { argumentTerms, commandsIn } from "../../src/declare/describe.ts";
import { attack } from "../support/attack.ts";
import { recordingProxy, type Sent } from "../support/recording-proxy.ts";
import { sandboxSession } from "../support/session.ts";
import { shellWords } from "../support/shell.ts";
import { asTyped, inPlace, isLasting, preparations, type } from "../support/typed-line.ts";

// Every example of a command that changes something, with each of its values as a shell leaves it of a variable that
// is not set: as an empty argument, as none, as a blank, and as a part of a path or pair that is missing. It is
// refused, or changes nothing that the whole line would not: no folder above, no group in place of a project, no
// default, no list in place of one of it. By default each 24th example; with FORGECTL_TEST_READS=all every one.

const all = process.env.FORGECTL_TEST_READS === "all";
const seed = Number(process.env.FORGECTL_TEST_SEED ?? Date.now() % 1_000_000);
afterAll(() => {
  if (!all) process.stderr.write(`unset values: FORGECTL_TEST_SEED=${seed}\n`);
});

const { run } = await sandboxSession();
const proxy = await recordingProxy();
const nodes = await Promise.all(groups.map((entry) => entry.load()));
const commands = nodes.flatMap((each) => [...commandsIn(each)]);
/** What addresses begin with: `projects`, `groups`, … */
const kinds = new Set(commands.flatMap(({ command }) => command.requests.map(({ path }) => path.split("/")[1])));
const examples = commands
  .filter(({ path: [group = ""] }) => !["sandbox", "completion", "profiles", "auth"].includes(group))
  .filter(({ command }) => command.changes !== undefined || command.requests.some(({ method }) => method !== "GET"))
  .flatMap(({ command, path }) =>
    command.examples.map((each) => ({
      ...each,
      verb: path.at(-1) as string,
      isMany: argumentTerms(command.args).at(-1)?.field.kind === "array",
    })),
  )
  .filter(({ line }) => !isLasting(line))
  .filter((_, index) => all || (index + seed) % 24 === 0);
const attempts = attack(examples.length);

/** What counts where the line names no project or group; no example names these. */
const defaults = { FORGECTL_PROJECT: "acme/website", FORGECTL_GROUP: "acme/mobile" };

describe("what a variable that is not set leaves changes nothing else", { timeout: 900_000 }, () => {
  test.each(examples)("$line", async ({ line, before, verb, isMany }) => {
    const hosting = / identities |^scim/.test(line) ? "hosted" : "self-managed";
    await inPlace({ hosting }, async (place) => {
      proxy.target = place.url;
      const addresses = { FORGECTL_BASE_URL: proxy.url, FORGECTL_REGISTRY_URL: proxy.url };
      const own = { ...place, url: proxy.url, env: { ...place.env, ...addresses, ...defaults, FORGECTL_RETRIES: "0" } };
      proxy.open = true;
      await type(preparations({ line, before }), own);
      const typed = asTyped(line, own).replace(/ --dry-run\b/, "");
      const [, ...words] = await shellWords(typed.includes("--yes") ? typed : typed.replace(" ", " --yes "), own);
      proxy.open = false;
      const send = async (typedWords: readonly string[]) => {
        const cwd = mkdtempSync(`${place.cwd}-`);
        cpSync(place.cwd, cwd, { recursive: true });
        proxy.taken();
        const env = { ...own.env, HOME: cwd, XDG_CONFIG_HOME: join(cwd, ".config") };
        const { code, stderr } = await run(...typedWords, { cwd, env, input: "a line from stdin\n" });
        rmSync(cwd, { recursive: true, force: true });
        return { code, stderr, sent: proxy.taken() };
      };
      const whole = (await send(words)).sent;
      for (const { left, how } of attempts.cells([...leftOf(words, words.indexOf(verb) + 1)])) {
        const { code, stderr, sent } = await send(left);
        const fewer = how === "none" && isMany;
        const wider = sent.filter((each) => !isWithin(each, { whole, left, fewer }));
        expect([left, stderr, code === 2 ? sent : [], wider]).toEqual([left, stderr, [], []]);
        expect([left, stderr, code]).not.toEqual([left, stderr, 70]);
      }
    });
  });
});

/** What a shell leaves of a line in which one value, or a part of one, is a variable that is not set. */
function* leftOf(words: readonly string[], from: number): Generator<{ left: string[]; how: string }> {
  for (const [index, word] of words.entries()) {
    if (index < from || /^-[^=]*$/.test(word)) continue;
    const put = (how: string, ...values: string[]) => ({ how, left: words.toSpliced(index, 1, ...values) });
    yield put("none");
    const paths = word.includes("=") ? [] : [`${word}/`, `/${word}`, word.replaceAll("/", "//")];
    yield* ["", " ", ...paths].filter((value) => value !== word).map((value) => put("value", value));
    for (const mark of ["/", "=", ":", ","]) {
      const parts = word.split(mark);
      if (parts.length > 1) yield* parts.map((_, at) => put("part", parts.with(at, "").join(mark)));
    }
  }
}

interface Line {
  whole: readonly Sent[];
  left: readonly string[];
  /** One value less is what it says. */
  fewer: boolean;
}

/**
 * Whether the whole line sends it too: with the same parameters at least, and at the same address, or at one that
 * differs in one part, which the line names. A request for a project that does not exist is harmless, and so is one for
 * something that no instance has.
 */
function isWithin({ method, path, names }: Sent, { whole, left, fewer }: Line): boolean {
  const [, kind] = /^\/api\/v4\/(\w+)/.exec(path) ?? [];
  if (kind !== undefined && !kinds.has(kind)) return true;
  const named = left.flatMap((word) => [word, word.replace(/\/$/, "")]).filter((word) => word !== "");
  return whole.some((other) => {
    const parts = other.path.split("/");
    const changed = path.split("/").filter((part, index) => part !== parts[index]);
    return (
      other.method === method &&
      path.split("/").length === parts.length &&
      (changed.length === 0 || (changed.length === 1 && named.includes(decodeURIComponent(changed[0] as string)))) &&
      (fewer || other.names.every((name) => names.includes(name)))
    );
  });
}
