import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { signedIn } from "../support/answering.ts";
import { lossyProxy } from "../support/lossy-proxy.ts";
import { sandboxSession } from "../support/session.ts";

// An instance that caches its settings: for a while after a change it returns the previous values.

const name = "terminal_max_session_time";
let admin: Awaited<ReturnType<typeof sandboxSession>>;
let slow: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  admin = await sandboxSession({ settingsCacheSeconds: 2 });
  slow = await sandboxSession({ settingsCacheSeconds: 600 });
  for (const { home } of [admin, slow]) writeFileSync(join(home, "settings.yaml"), `${name}: 77\n`);
});

const shown = async () => (await admin.run("settings", "get", name)).stdout.trim();

describe("--wait of apply and rollback ends once the settings have taken effect", () => {
  test("settings apply, and settings rollback right after it", async () => {
    const applied = await admin.run("settings", "apply", "-f", "settings.yaml", "--wait", "--yes");
    expect([applied.code, await shown()]).toEqual([0, "77"]);
    const back = await admin.run("settings", "rollback", "--wait", "--yes", "--no-header");
    expect([back.code, back.stdout, await shown()]).toEqual([0, "#settings\tupdate\tdone\t\n", "0"]);
  });
});

describe("within a minute after a run, what it wrote counts, though the instance still shows what was there before", () => {
  let place: Awaited<ReturnType<typeof sandboxSession>>;
  const file = (value: number) => writeFileSync(join(place.home, "settings.yaml"), `${name}: ${value}\n`);
  const apply = async (value: number) => {
    file(value);
    return (await place.run("settings", "apply", "-f", "settings.yaml", "--yes", "--no-header")).stdout;
  };
  const rollback = () => place.run("settings", "rollback", "--yes", "--no-header");
  /** What is stored, by the answer to a change of another setting: that is never cached. */
  const stored = async () => {
    const answer = await fetch(`${place.sandbox.url}/api/v4/application/settings`, {
      method: "PUT",
      headers: { "PRIVATE-TOKEN": place.sandbox.tokens.administrator, "content-type": "application/json" },
      body: JSON.stringify({ max_attachment_size: 55 }),
    });
    return ((await answer.json()) as Record<string, unknown>)[name];
  };
  beforeEach(async () => {
    place = await sandboxSession({ settingsCacheSeconds: 600 });
  });

  test("a rollback right after an apply restores, and a second one has nothing to do", async () => {
    expect(await apply(77)).toBe("#settings\tupdate\tdone\t\n");
    expect((await place.run("settings", "get", name)).stdout).toBe("0\n");
    expect((await rollback()).stdout).toBe("#settings\tupdate\tdone\t\n");
    expect(await stored()).toBe(0);
    expect(await rollback()).toEqual({
      code: 0,
      stdout: "",
      stderr: "nothing to roll back: this machine has no run on this instance that is not undone\n",
    });
  });

  test("each rollback restores what was there before its run", async () => {
    await apply(77);
    await apply(78);
    expect((await rollback()).code).toBe(0);
    expect(await stored()).toBe(77);
    expect((await rollback()).code).toBe(0);
    expect(await stored()).toBe(0);
  });

  test("a file with what the instance still shows is applied, and not reported as effective", async () => {
    await apply(77);
    file(0);
    const plan = await place.run("settings", "plan", "-f", "settings.yaml", "--exit-code", "-o", "json");
    expect([plan.code, JSON.parse(plan.stdout)[0].fields]).toEqual([
      10,
      [expect.objectContaining({ from: 77, to: 0 })],
    ]);
    expect(await apply(0)).toBe("#settings\tupdate\tdone\t\n");
    expect(await stored()).toBe(0);
  });

  describe("a saved plan", () => {
    const plan = async (value: number) => {
      writeFileSync(join(place.home, "state.yaml"), `forgectl: 1\nsettings: { ${name}: ${value} }\n`);
      return (await place.run(..."state plan -f state.yaml --save plan.json --exit-code".split(" "))).code;
    };
    const applied = async (env: Record<string, string> = {}) => {
      const { code, stdout, stderr } = await place.run(..."state apply --plan plan.json --yes --no-header".split(" "), {
        env,
      });
      return [code, stdout, await stored(), stderr.includes("made and verified")];
    };

    test.each([
      ["what the instance still shows", 0],
      ["what the last run wrote", 77],
      ["another value", 78],
    ])("of %s is applied as it was shown", async (_, value) => {
      await apply(77);
      expect(await plan(value)).toBe(10);
      expect(await applied()).toEqual([0, "#settings\tupdate\tdone\t\n", value, true]);
    });

    test.each([0, 78])("of %i is applied on a machine that knows nothing of the last run", async (value) => {
      await apply(77);
      expect(await plan(value)).toBe(10);
      const env = { FORGECTL_STATE_DIR: join(place.home, "another") };
      expect(await applied(env)).toEqual([0, "#settings\tupdate\tdone\t\n", value, true]);
    });

    test("is refused if a later run has changed it, though the instance shows the same", async () => {
      await apply(77);
      expect(await plan(5)).toBe(10);
      await apply(78);
      expect((await applied()).slice(0, 3)).toEqual([6, "", 78]);
    });

    test("is refused if the object has changed since, as far as the instance shows it", async () => {
      const direct = await sandboxSession();
      writeFileSync(join(direct.home, "settings.yaml"), `${name}: 77\n`);
      await direct.run("settings", "apply", "-f", "settings.yaml", "--yes");
      writeFileSync(join(direct.home, "state.yaml"), `forgectl: 1\nsettings: { ${name}: 78 }\n`);
      await direct.run(..."state plan -f state.yaml --save plan.json".split(" "));
      await direct.run("settings", "set", `${name}=5`);
      expect((await direct.run("state", "apply", "--plan", "plan.json", "--yes")).code).toBe(6);
    });
  });

  test("a newer copy of the settings counts more than what a run wrote", async () => {
    const direct = await sandboxSession();
    writeFileSync(join(direct.home, "settings.yaml"), `${name}: 77\n`);
    await direct.run("settings", "apply", "-f", "settings.yaml", "--yes");
    await direct.run("settings", "set", `${name}=0`);
    writeFileSync(join(direct.home, "settings.yaml"), `${name}: 0\n`);
    const plan = await direct.run("settings", "plan", "-f", "settings.yaml", "--exit-code");
    expect([plan.code, plan.stderr]).toEqual([0, "no change; 1 object matches\n"]);
  });
});

describe("within a minute after settings set, what it wrote counts too", () => {
  let place: Awaited<ReturnType<typeof sandboxSession>>;
  /** What is stored: a value of the answer to a change, which is never cached. */
  const stored = async (wanted: string, more: object = { max_attachment_size: 55 }) => {
    const answer = await fetch(`${place.sandbox.url}/api/v4/application/settings`, {
      method: "PUT",
      headers: { "PRIVATE-TOKEN": place.sandbox.tokens.administrator, "content-type": "application/json" },
      body: JSON.stringify(more),
    });
    return ((await answer.json()) as Record<string, unknown>)[wanted];
  };
  const set = (...assignments: string[]) => place.run("settings", "set", ...assignments, "--yes");
  beforeEach(async () => {
    place = await sandboxSession({ settingsCacheSeconds: 2 });
    await stored("codesearch_url", { codesearch_url: "https://old.example" });
    await new Promise((later) => setTimeout(later, 2100));
    expect((await place.run("settings", "get", "codesearch_url")).stdout).toBe("https://old.example\n");
  });

  test("a setting that must be sent along is sent as it was set a moment ago", async () => {
    expect((await set("codesearch_url=https://new.example")).code).toBe(0);
    expect((await place.run("settings", "get", "codesearch_url")).stdout).toBe("https://old.example\n");
    const { code, stderr } = await set("codesearch_enabled=true");
    expect([code, stderr]).toEqual([0, expect.stringContaining("sent along as they were read")]);
    expect(await stored("codesearch_url")).toBe("https://new.example");
  });

  test("and by settings apply", async () => {
    await set("codesearch_url=https://new.example");
    writeFileSync(join(place.home, "settings.yaml"), "codesearch_enabled: true\n");
    expect((await place.run("settings", "apply", "-f", "settings.yaml", "--yes")).code).toBe(0);
    expect(await stored("codesearch_url")).toBe("https://new.example");
  });

  test("the undo line restores what was set before", async () => {
    await set(`${name}=5`);
    const { stderr } = await set(`${name}=7`);
    const [, undo = ""] = /^undo: forgectl (.*)$/m.exec(stderr) ?? [];
    expect(undo).toContain(`${name}=5`);
    expect((await place.run(...undo.split(" "))).code).toBe(0);
    expect(await stored(name)).toBe(5);
  });

  test("what may have been made is not sent along", async () => {
    const { url } = await lossyProxy(place.sandbox.url, { how: "504" });
    const env = { FORGECTL_BASE_URL: url };
    const once = ["-o", "json", "--retries", "0"];
    const lost = await place.run("settings", "set", "codesearch_url=https://new.example", ...once, { env });
    expect(JSON.parse(lost.stderr.trim().split("\n").at(-1) ?? "").error.outcome).toBe("unknown");
    const { code, stderr } = await place.run("settings", "set", "codesearch_enabled=true", { env });
    expect([code, stderr]).toEqual([6, expect.stringContaining("codesearch_url must be sent along")]);
    const both = ["codesearch_enabled=true", "codesearch_url=https://new.example"];
    expect((await place.run("settings", "set", ...both, { env })).code).toBe(0);
    expect(await stored("codesearch_url")).toBe("https://new.example");
  });

  describe("a lost change back to what a cache still shows is not called made", () => {
    /** Always shows 0, makes the first change, and answers all others with 504. */
    const cached = async (file: string) => {
      let changes = 0;
      const there = await signedIn((request, response) => {
        if (request.method === "PUT" && ++changes > 1) return void response.writeHead(504).end();
        const changed = request.method === "PUT" ? 1 : 0;
        const body = JSON.stringify({ id: 1, [name]: 5 * changed, updated_at: `2026-11-26T10:00:0${changed}.000Z` });
        response.writeHead(200, { "content-type": "application/json" }).end(body);
      });
      writeFileSync(join(there.home, "settings.yaml"), file);
      return there;
    };

    test("by settings set", async () => {
      const { run } = await cached("");
      expect((await run("settings", "set", `${name}=5`)).code).toBe(0);
      const back = await run("settings", "set", `${name}=0`, "--retries", "0", "-o", "json");
      expect([back.code, back.stdout]).toEqual([1, ""]);
      expect(JSON.parse(back.stderr.trim().split("\n").at(-1) ?? "").error.outcome).toBe("unknown");
    });

    test.each([
      ["settings apply", `${name}: 0\n`, "settings apply -f settings.yaml"],
      ["settings rollback", `${name}: 5\n`, "settings rollback"],
    ])("by %s", async (what, file, line) => {
      const { run } = await cached(file);
      const first = what === "settings apply" ? ["settings", "set", `${name}=5`] : "settings apply -f settings.yaml";
      expect((await run(...[first].flat().join(" ").split(" "), "--yes")).code).toBe(0);
      const back = await run(...line.split(" "), "--yes", "--retries", "0", "--no-header");
      expect([back.code, back.stdout]).toEqual([1, expect.stringContaining("\tunknown\t")]);
    });
  });

  test("what may have been made is not sent along either as it was after the change before it", async () => {
    // Each process of an instance has a cache of its own: the third one read the settings between the two changes.
    const at = (second: number, codesearch_url: string) => ({
      ...{ id: 1, codesearch_url, codesearch_enabled: false, updated_at: `2026-11-26T10:00:0${second}.000Z` },
    });
    const copies = [at(0, "https://old.example"), at(0, "https://old.example"), at(1, "https://new.example")];
    const bodies: string[] = [];
    const { run } = await signedIn((request, response) => {
      const answer = (value: object) =>
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
      if (request.method !== "PUT") return void answer(copies.shift() ?? at(0, "https://old.example"));
      bodies.push(request.url ?? "");
      if (bodies.length === 2) return void response.writeHead(504).end();
      answer(at(bodies.length, "https://new.example"));
    });
    expect((await run("settings", "set", "codesearch_url=https://new.example")).code).toBe(0);
    // The look after the lost answer reads the old copy, too.
    const lost = await run("settings", "set", "codesearch_url=https://newer.example", "--retries", "0", "-o", "json");
    expect(JSON.parse(lost.stderr.trim().split("\n").at(-1) ?? "").error.outcome).toBe("unknown");
    copies.splice(0, 3, at(1, "https://new.example"));
    const { code, stderr } = await run("settings", "set", "codesearch_enabled=true");
    expect([code, stderr]).toEqual([6, expect.stringContaining("codesearch_url must be sent along")]);
    expect(bodies.length).toBe(2);
  });

  test("what was only sent along is as it was: the same line again is not refused", async () => {
    const { url } = await lossyProxy(place.sandbox.url, { how: "504" });
    const env = { FORGECTL_BASE_URL: url };
    const on = ["settings", "set", "codesearch_enabled=true", "--retries", "0"];
    expect((await place.run(...on, { env })).code).not.toBe(0);
    expect((await place.run(...on, { env })).code).toBe(0);
    expect(await stored("codesearch_url")).toBe("https://old.example");
  });

  describe("of what is not remembered, since it is secret, nothing older is sent along", () => {
    const secret = "codesearch_url=https://user:hidden@new.example";
    const refused = [6, expect.stringContaining("codesearch_url must be sent along, and may have been changed")];

    test("by settings set", async () => {
      expect((await set(secret)).code).toBe(0);
      const { code, stderr } = await set("codesearch_enabled=true");
      expect([code, stderr]).toEqual(refused);
      expect(await stored("codesearch_url")).toBe("https://user:hidden@new.example");
      await new Promise((later) => setTimeout(later, 2100));
      expect((await set("codesearch_enabled=true")).code).toBe(0);
      expect(await stored("codesearch_url")).toBe("https://user:hidden@new.example");
    });

    test("but what took the place of a secret is", async () => {
      await set(secret);
      await new Promise((later) => setTimeout(later, 2100));
      await place.run("settings", "get", "codesearch_url");
      await set("codesearch_url=https://new.example");
      expect((await set("codesearch_enabled=true")).code).toBe(0);
      expect(await stored("codesearch_url")).toBe("https://new.example");
    });

    test("after settings apply, which took it from a variable", async () => {
      writeFileSync(join(place.home, "settings.yaml"), "codesearch_url: { env: SEARCH }\n");
      const env = { SEARCH: "https://new.example" };
      const applied = await place.run(..."settings apply -f settings.yaml --secrets always --yes".split(" "), { env });
      expect(applied.code).toBe(0);
      const { code, stderr } = await set("codesearch_enabled=true");
      expect([code, stderr]).toEqual(refused);
      expect(await stored("codesearch_url")).toBe("https://new.example");
    });

    test("nor named in an undo line", async () => {
      expect((await set(secret)).stderr).toContain("undo: ");
      expect((await set("codesearch_url=https://newer.example")).stderr).not.toContain("undo: ");
    });

    test("by settings apply, whose plan says so", async () => {
      await set(secret);
      writeFileSync(join(place.home, "settings.yaml"), "codesearch_enabled: true\n");
      const { code, stdout } = await place.run(..."settings apply -f settings.yaml --yes".split(" "));
      expect([code, stdout]).toEqual([9, expect.stringContaining("codesearch_url must be sent along, and may have")]);
      expect(await stored("codesearch_url")).toBe("https://user:hidden@new.example");
    });

    test("by state apply, of a plan that was saved before", async () => {
      writeFileSync(join(place.home, "state.yaml"), "forgectl: 1\nsettings: { codesearch_enabled: true }\n");
      expect((await place.run(..."state plan -f state.yaml --save plan.json".split(" "))).code).toBe(0);
      await set(secret);
      const { code, stdout } = await place.run(..."state apply --plan plan.json --yes".split(" "));
      expect([code, stdout]).toEqual([9, expect.stringContaining("codesearch_url must be sent along, and may have")]);
      expect(await stored("codesearch_url")).toBe("https://user:hidden@new.example");
    });

    test("a key that an instance shows", async () => {
      const deployed = await sandboxSession({ settingsCacheSeconds: 2, asDeployed: true });
      writeFileSync(join(deployed.home, "key"), "old-key");
      writeFileSync(join(deployed.home, "new"), "new-key");
      const line = (...words: string[]) => deployed.run("settings", "set", ...words, "--yes");
      await line("spamsvc_api_key=@key");
      await new Promise((later) => setTimeout(later, 2100));
      await deployed.run("settings", "get", "spamsvc_api_key");
      expect((await line("spamsvc_api_key=@new")).code).toBe(0);
      expect((await line("spamsvc_enabled=true")).code).toBe(6);
      expect((await line("spamsvc_enabled=true", "spamsvc_api_key=@new")).code).toBe(0);
    });

    test("unless it was as it is", async () => {
      await set(secret);
      await new Promise((later) => setTimeout(later, 2100));
      await place.run("settings", "get", "codesearch_url");
      await set(secret);
      expect((await set("codesearch_enabled=true")).code).toBe(0);
      expect(await stored("codesearch_url")).toBe("https://user:hidden@new.example");
    });
  });

  test("secrets are not remembered, and nothing if the state folder cannot be used", async () => {
    writeFileSync(join(place.home, "key"), "hidden-value");
    const address = "external_pipeline_validation_service_url=https://new.example/?token=hidden-value";
    const said = await set("spamsvc_api_key=@key", "codesearch_url=https://user:hidden-value@new.example", address);
    expect(said.stdout + said.stderr).not.toContain("hidden-value");
    const folder = join(place.home, ".local/state/forgectl/writes");
    const texts = readdirSync(folder).map((each) => readFileSync(join(folder, each, "change.json"), "utf8"));
    expect([texts.length, texts.join("").includes("hidden-value")]).toEqual([1, false]);
    const env = { FORGECTL_STATE_DIR: join(place.home, "key") };
    const { code, stderr } = await place.run("settings", "set", `${name}=5`, { env });
    expect([code, stderr]).toEqual([0, expect.stringContaining("warning: this change is not remembered")]);
  });
});

describe("a wait that times out", () => {
  test("is exit 8; the change was made, and is reported as made", async () => {
    const late = await slow.run(
      ..."settings apply -f settings.yaml --wait --wait-timeout 1 --yes --no-header".split(" "),
    );
    const [, run] = /run (\w+-\w{4})/.exec(late.stderr) ?? [];
    expect(late).toEqual({
      code: 8,
      stdout: "#settings\tupdate\tdone\tmade; not ready after 1 second (waiting for settings to take effect)\n",
      stderr:
        "error: not ready after 1 second (waiting for settings to take effect)\n" +
        `outcome: the change was made; run ${run}\n` +
        `try:   forgectl settings get ${name}\n`,
    });
    const history = await slow.run("state", "history", "--fields", "what,changes,done", "--no-header");
    expect(history.stdout).toBe("settings apply\t1\t1\n");
  });
});

test.each(["state apply -f settings.yaml", "settings apply -f settings.yaml", "state rollback", "settings edit"])(
  "%s takes --wait-timeout only with --wait",
  async (line) => {
    const { code, stderr } = await admin.run(...line.split(" "), "--wait-timeout", "1");
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: --wait-timeout needs --wait\n/)]);
  },
);

test("another instance at the same address, as behind a tunnel, has nothing of what was written to the first", async () => {
  const period = "throttle_authenticated_api_requests_per_period";
  const state = { isOther: false };
  const sent: unknown[] = [];
  const { run } = await alteringSession(({ method, path, sent: body, ...exchange }) => {
    if (!path.endsWith("/application/settings")) return undefined;
    if (method === "PUT") sent.push(body);
    const other = { created_at: "2020-01-01T00:00:00.000Z", updated_at: "2020-01-02T00:00:00.000Z" };
    const values = { ...other, throttle_authenticated_api_enabled: false, [period]: 5000 };
    return state.isOther && method === "GET" ? { body: { ...(exchange.body as object), ...values } } : undefined;
  });
  const set = (text: string) => run("settings", "set", text, "--yes");
  expect((await set(`${period}=10`)).code).toBe(0);
  state.isOther = true;
  await set("throttle_authenticated_api_enabled=true");
  expect(sent.at(-1)).toMatchObject({ [period]: 5000 });
});
