import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { chanceOf } from "../support/chance.ts";
import { type Result, type Session, sandboxSession, session } from "../support/session.ts";
import { withTimeout } from "../support/with-timeout.ts";

/** Seeded random arguments for every command that the program lists. */

interface Flag {
  flag: string;
  type: string;
  required: boolean;
  values: string[] | null;
}
interface Listed {
  command: string;
  arguments: { required: boolean; repeatable: boolean }[];
  flags: Flag[];
}

const seed = 20_240_611;
const timeoutMs = 10_000;
const atOnce = 3;
/** They run until they are ended, or run other programs. */
const lasting = new Set(["sandbox start", "sandbox exec", "hooks listen"]);

/** Used half of the time, so that the code after the checks is reached too. */
const usual = [
  "1",
  "7",
  "12",
  "acme/storefront",
  "acme",
  "main",
  "README.md",
  "2026-01-02",
  "build",
  "a=b",
  "true",
  "1h",
];

const strange = [
  ..."0 -1 1 7 99999999999999999999 1e400 0x10 NaN null true - -- @ @missing @- ~ * ? [ ( \\ % %2e%2e %zz".split(" "),
  ...'a=b =b a[b]=c a[]=c __proto__ __proto__[x]=1 constructor toString=1 {} [] {"a":1} [1,{"b":null}]'.split(" "),
  ..."2026-02-30 2026-01-01T00:00:00Z 3d -3d 10w tomorrow . .. ../x a/../b a//b acme/storefront main all".split(" "),
  ...["", " ", "é", "中文/名", "\u001b[31mred", "\u202eevil", "a\nb", "x".repeat(5000), "http://[bad", "file:///etc"],
];

function typed({ command, arguments: places, flags }: Listed, chance: () => number): string[] {
  const one = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;
  const value = (flag?: Flag) => {
    if (flag?.values && chance() < 0.8) return one(flag.values);
    return one(chance() < 0.5 ? usual : strange);
  };
  const args = command.split(" ");
  for (const place of places) {
    const times = place.repeatable ? 1 + Math.floor(chance() * 3) : place.required || chance() < 0.7 ? 1 : 0;
    for (let time = 0; time < times; time++) args.push(value());
  }
  const wanted = flags.filter(({ required }) => (required ? chance() < 0.9 : chance() < 2 / flags.length));
  for (const flag of wanted) args.push(flag.type === "boolean" ? flag.flag : `${flag.flag}=${value(flag)}`);
  if (chance() < 0.3) args.push("-o", one(["json", "ndjson", "csv", "tsv", "yaml", "table"]));
  if (chance() < 0.1) args.push("--jq", one([".", ".[", ".a|tostring", "error", "."]));
  return args;
}

async function everyCommand(type: (listed: Listed) => string[], run: (args: string[]) => Promise<string | undefined>) {
  const listed: { commands: Listed[] } = JSON.parse((await session().run("commands", "-o", "json")).stdout);
  const all = listed.commands;
  expect(all.length).toBeGreaterThan(100);
  const lines = all.filter(({ command }) => !lasting.has(command)).map(type);
  const wrong: string[] = [];
  const worker = async () => {
    for (let args = lines.pop(); args !== undefined; args = lines.pop()) {
      const complaint = await run(args);
      if (complaint !== undefined) wrong.push(`${JSON.stringify(args)}: ${complaint}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  expect(wrong).toEqual([]);
}

/** A run that timed out has no code. */
function complaintOf({ code, stdout, stderr }: Result): string | undefined {
  if (code === null) return `still running after ${timeoutMs} ms`;
  if (code === 70 || /^\s+at .*:\d+:\d+/m.test(stderr)) return stderr;
  // With 10 the differences are the result.
  if (code !== 0 && code !== 10 && stderr === "") return `ended with ${code} without an error message`;
  // JSON escapes control characters, and line feeds separate lines.
  if (/[^\P{Cc}\n\t]|\u202e/u.test(stderr)) return `raw controls: ${JSON.stringify(stderr)}`;
  return /\bbug in\b/.test(stdout) ? stdout : undefined;
}

const inTime = (running: Promise<Result>) => withTimeout(running, timeoutMs, { code: null, stdout: "", stderr: "" });

async function unreachable(): Promise<Session> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  const url = `http://127.0.0.1:${port}`;
  return session({
    FORGECTL_BASE_URL: url,
    FORGECTL_REGISTRY_URL: url,
    FORGECTL_TOKEN: "t0ken-of-no-user",
    EDITOR: "true",
  });
}

test("arbitrary input, without an instance", { timeout: 120_000 }, async () => {
  const there = await unreachable();
  const chance = chanceOf(seed);
  await everyCommand(
    (listed) => typed(listed, chance),
    async (args) => complaintOf(await inTime(there.run(...args, "--retries", "0", "--yes"))),
  );
});

test("arbitrary input, as a dry run on an instance", { timeout: 120_000 }, async () => {
  const there = await sandboxSession({});
  const chance = chanceOf(seed + 1);
  await everyCommand(
    (listed) => typed(listed, chance),
    async (args) => complaintOf(await inTime(there.run(...args, "--retries", "0", "--yes", "--dry-run"))),
  );
});
