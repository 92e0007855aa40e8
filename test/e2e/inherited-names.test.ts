import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { signedIn } from "../support/answering.ts";
import type { Session } from "../support/session.ts";

// Names that every object has from elsewhere, wherever a name comes in: what is done and said is the same as for any
// other name that the program does not know.

const inherited = ["constructor", "toString", "hasOwnProperty", "valueOf", "__proto__"];
const plain = "zzplainname";

/** What the lines print: with the ordinary name, in any order, without times, widths, and digests. */
async function said({ run }: Session, name: string, lines: readonly string[]): Promise<string[]> {
  const all: string[] = [];
  const plainly = (line: string) =>
    line
      .replaceAll(name, plain)
      .replace(/did you mean \w+\?\\n/, "")
      .replace(/127\.0\.0\.1:\d+/g, "HOST")
      .replace(/\b\d{4}-?\d\d-?\d\d[T ]?\d\d:?\d\d:?\d\d\S*|\b[\da-f]{16,64}\b/g, "X")
      .replace(/\s+|,$/g, " ")
      .trim();
  for (const line of lines) {
    const { code, stdout, stderr } = await run(...line.split(" ").map((word) => word.replaceAll("NAME", name)));
    expect([line, code, stderr]).toEqual([line, expect.not.toBeOneOf([70]), expect.not.stringContaining("native")]);
    all.push(`$ ${line}: ${code}`, ...`${stdout}${stderr}`.split("\n").map(plainly).sort());
  }
  return all;
}

/** What is said of each name is what is said of the ordinary one. */
async function expectAlike(names: readonly string[], saidOf: (name: string) => Promise<string[]>): Promise<void> {
  const ordinary = await saidOf(plain);
  expect(ordinary.join("\n")).toContain(plain);
  for (const name of names) expect([name, await saidOf(name)]).toEqual([name, ordinary]);
}

/** A sandbox whose answers about settings have one more, which is another one after a change. */
async function showing(name: string, ofRead: unknown, ofChange: unknown) {
  return await alteringSession(({ method, path, status, body }) => {
    if (!path.includes("application/settings") || status !== 200) return undefined;
    return { body: { ...(body as object), [name]: method === "PUT" ? ofChange : ofRead } };
  });
}

describe("a setting that an instance shows", () => {
  test.each([
    ["is read", ["settings get NAME", "settings list -o yaml", "settings list --fields NAME -o json"]],
    [
      "is compared",
      ["settings export", "state export --settings -O -", "settings audit -o json", "audit --settings -o json"],
    ],
    [
      "changes along with what is set",
      ["settings set default_projects_limit=31", "settings get default_projects_limit"],
    ],
    [
      "changes along with what is applied",
      ["state plan -f a.yaml", "state apply -f a.yaml --yes", "state history -o yaml", "state rollback --yes"],
    ],
  ])("%s", { timeout: 120_000 }, async (_, lines) => {
    await expectAlike(inherited, async (name) => {
      const there = await showing(name, 3, 5);
      writeFileSync(join(there.home, "a.yaml"), "forgectl: 1\nsettings: { default_projects_limit: 32 }\n");
      return said(there, name, lines);
    });
  });

  test.each([
    [
      "is set",
      ["settings set NAME=5", "settings set NAME=null", "settings explain NAME", "settings set NAME=5 --strict"],
    ],
    [
      "is declared",
      [
        "state validate -f a.yaml",
        "state plan -f a.yaml -o yaml",
        "state apply -f a.yaml --yes",
        "state rollback --yes",
      ],
    ],
    [
      "is in a file of settings",
      ["settings validate -f b.yaml", "settings apply -f b.yaml --yes", "settings rollback --yes"],
    ],
  ])("%s", { timeout: 120_000 }, async (_, lines) => {
    // The last one is refused in files and as a word.
    await expectAlike(inherited.slice(0, -1), async (name) => {
      const there = await showing(name, 3, 5);
      writeFileSync(join(there.home, "a.yaml"), `forgectl: 1\nsettings: { ${name}: 5 }\n`);
      writeFileSync(join(there.home, "b.yaml"), `${name}: 5\n`);
      return said(there, name, lines);
    });
  });
});

test("a setting that no instance shows", { timeout: 120_000 }, async () => {
  await expectAlike(inherited.slice(0, -1), async (name) => {
    const there = await alteringSession(() => undefined);
    writeFileSync(join(there.home, "a.yaml"), `forgectl: 1\nsettings: { ${name}: 5 }\n`);
    return said(there, name, [
      ...["settings get NAME", "settings set NAME=5", "state plan -f a.yaml", "state apply -f a.yaml --yes"],
      ...["state history -o yaml", "state rollback --yes"],
    ]);
  });
});

test("a line of a text that is not stored is a command of no known effect", async () => {
  const notes = await signedIn((request, response) => {
    request.setEncoding("utf8").on("data", (sent: string) => {
      const { body } = JSON.parse(sent) as { body: string };
      const note = { id: 7, body: body.replace(/\n\/\S+ ?$/, ""), commands_changes: {} };
      response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify(note));
    });
  });
  for (const name of [...inherited, "plainname"]) {
    const { code, stderr } = await notes.run("notes", "create", "-p", "7", "--issue", "1", "--body", `See\n/${name} `);
    expect([name, code, stderr]).toEqual([name, 0, expect.not.stringContaining("bug")]);
  }
});

describe("a field of an answer", () => {
  const lines = [
    ...[
      "users list -o json",
      "users list -o yaml",
      "users list -o csv",
      "users get 3",
      "users list --fields id,NAME -o csv",
    ],
    ...["hooks list -g acme -o yaml", "envs list -p acme/storefront -o yaml", "envs audit -p acme/storefront -o json"],
    ...["job-token status -p acme/storefront", "registry list -p acme/storefront", "notes list --issue 28 -p 7"],
    ...["state export -p acme/storefront -g acme", "audit -g acme -o json"],
  ];
  test("is one more field", { timeout: 240_000 }, async () => {
    await expectAlike(inherited, async (name) => {
      const more = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(more);
        if (typeof value !== "object" || value === null) return value;
        const own = Object.entries(value).map(([key, each]) => [key, more(each)]);
        return Object.fromEntries([...own, [name, "a"]]);
      };
      const there = await alteringSession(({ body }) =>
        typeof body === "object" && body !== null ? { body: more(body) } : undefined,
      );
      return said(there, name, lines);
    });
  });
});

test("a value of a flag, and a field of a file", { timeout: 120_000 }, async () => {
  await expectAlike(inherited, async (name) => {
    const there = await alteringSession(() => undefined);
    const project = (text: string) => `forgectl: 1\nprojects: { acme/storefront: ${text} }\n`;
    writeFileSync(join(there.home, "a.yaml"), project(`{ protected_branches: { main: { push: [${name}] } } }`));
    writeFileSync(join(there.home, "b.yaml"), project(`{ job_token_scope: ${name} }`));
    writeFileSync(join(there.home, "c.yaml"), project(`{ webhooks: [{ url: https://a.example, events: [${name}] }] }`));
    writeFileSync(
      join(there.home, "r.json"),
      JSON.stringify({ rules: [{ setting: "terms", expect: { [name === "__proto__" ? plain : name]: true } }] }),
    );
    writeFileSync(join(there.home, "t.ndjson"), `{"id":"a","args":["users","list"],"${name}":1}\n`);
    return said(there, name, [
      ...["notes list --issue 28 -p 7 --activity NAME", "hooks events 2 -g acme --status NAME"],
      ...["hooks deliveries 2 -g acme --status NAME", "hooks health -g acme --status NAME", "users list -o NAME"],
      ...["envs protect production -p 7 --allow NAME", "envs protect production -p 7 --allow user:NAME"],
      ...["saml links add NAME -g acme --access-level NAME", "registry prune -p 7 --keep NAME --older-than NAME"],
      ...[
        "users list --fields NAME",
        "users list --order-by NAME",
        "hooks create -g acme --url https://a --events NAME",
      ],
      ...["state plan -f a.yaml", "state plan -f b.yaml", "state plan -f c.yaml", "guide NAME", "help exit-codes NAME"],
      ...["settings audit --baseline r.json", "batch t.ndjson --yes"],
    ]);
  });
});
