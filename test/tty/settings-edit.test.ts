import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type Answer, json, signedIn } from "../support/answering.ts";
import { sandboxSession } from "../support/session.ts";
import { describeTerminal, openTerminal, type Terminal } from "../support/terminal.ts";

const { env, run } = await sandboxSession();

describeTerminal("settings edit", () => {
  let terminal: Terminal;
  beforeAll(async () => {
    const { FORGECTL_BASE_URL, FORGECTL_TOKEN } = env;
    terminal = await openTerminal({ columns: 160, rows: 40, env: { FORGECTL_BASE_URL, FORGECTL_TOKEN } });
  });

  const file = (name: string) => join(terminal.home, name);

  /** An editor that is a script, `$1` the file; it notes each opening, and stops the loop that a test may be in. */
  function editor(script: string): string {
    rmSync(file("openings"), { force: true });
    const stop = '[ "$(wc -l < "$HOME/openings")" -lt 60 ] || exit 99';
    writeFileSync(file("editor"), `#!/bin/sh\necho "$1" >> "$HOME/openings"; ${stop}\n${script}\n`);
    chmodSync(file("editor"), 0o755);
    return `EDITOR=${file("editor")} forgectl settings edit --yes`;
  }

  const openings = () => readFileSync(file("openings"), "utf8").trim().split("\n");

  /** The text in the file that a failure names, the only one that the editor leaves; it is removed. */
  function keptIn(lines: readonly string[]): string {
    const [, path = ""] = /your text is kept in (\S+)/.exec(lines.join("\n")) ?? [];
    const text = readFileSync(path, "utf8");
    rmSync(dirname(path), { recursive: true });
    expect(openings().filter((opened) => existsSync(opened))).toEqual([]);
    return text;
  }

  const current = async (name: string) => (await run("settings", "get", name)).stdout.trim();

  test("problems reopen the editor, with the lines that it shows; the mended text is applied", async () => {
    const other = (await current("signup_enabled")) === "true" ? "false" : "true";
    const script =
      `if grep -q '^# Not applied:' "$1"; then cp "$1" "$HOME/reopened"; sed -i 's/^signup_enabled: .*/signup_enabled: ${other}/' "$1"\n` +
      `else sed -i 's/^signup_enabled: .*/signup_enabled: perhaps/' "$1"; fi`;
    const { code } = await terminal.run(editor(script));
    expect([code, openings().length]).toEqual([0, 2]);
    const reopened = readFileSync(file("reopened"), "utf8").split("\n");
    const [, line = ""] = /^# line (\d+): .*signup_enabled/.exec(reopened[1] ?? "") ?? [];
    expect(reopened[Number(line) - 1]).toBe("signup_enabled: perhaps");
    expect(await current("signup_enabled")).toBe(other);
  });

  test("a secret that is typed is sent, and one that is emptied, though neither can be compared", async () => {
    const script =
      `sed -i '/^# spamsvc_api_key:/d; /^# external_pipeline_validation_service_token:/d' "$1"\n` +
      `printf 'spamsvc_api_key: typed-secret-1\\nexternal_pipeline_validation_service_token: ""\\n' >> "$1"`;
    const deployed = await sandboxSession({ asDeployed: true });
    const { FORGECTL_BASE_URL: url, FORGECTL_TOKEN: token } = deployed.env;
    const at = `FORGECTL_BASE_URL=${url} FORGECTL_TOKEN=${token}`;
    expect((await terminal.run(`${at} ${editor(script)}`)).code).toBe(0);
    const headers = { "private-token": deployed.sandbox.tokens.administrator };
    const answer = await fetch(`${deployed.sandbox.url}/api/v4/application/settings`, { headers });
    const shown = (await answer.json()) as Record<string, unknown>;
    expect(shown.spamsvc_api_key).toBe("typed-secret-1");
    expect(shown.external_pipeline_validation_service_token ?? "").toBe("");
  });

  test("the command that completes a refused change sends the secret, too", async () => {
    const faults = "PUT /application/settings=400";
    const { env: own, sandbox } = await sandboxSession({ asDeployed: true, faults });
    const at = `FORGECTL_BASE_URL=${own.FORGECTL_BASE_URL} FORGECTL_TOKEN=${own.FORGECTL_TOKEN}`;
    const script = `sed -i '/^# mailgun_signing_key:/d' "$1"; echo 'mailgun_signing_key: typed-secret-1' >> "$1"`;
    const { lines, code } = await terminal.run(`${at} ${editor(script)}`);
    const [, words = ""] = /try: +forgectl (settings apply .*?) {2,}#/.exec(lines.join("\n")) ?? [];
    expect([code, words]).toEqual([1, expect.stringContaining("--secrets always")]);
    expect((await terminal.run(`${at} forgectl ${words} --yes`)).code).toBe(0);
    const headers = { "private-token": sandbox.tokens.administrator };
    const answer = await fetch(`${sandbox.url}/api/v4/application/settings`, { headers });
    expect(await answer.json()).toMatchObject({ mailgun_signing_key: "typed-secret-1" });
  });

  test("shows what was set a moment ago, though the instance still shows what was there before", async () => {
    const { sandbox } = await sandboxSession({ settingsCacheSeconds: 600 });
    const at = `FORGECTL_BASE_URL=${sandbox.url} FORGECTL_TOKEN=${sandbox.tokens.administrator}`;
    const name = "terminal_max_session_time";
    expect((await terminal.run(`${at} forgectl settings set ${name}=5 -q`)).code).toBe(0);
    const script = `cp "$1" "$HOME/opened"; sed -i 's/^${name}: .*/${name}: 7/' "$1"`;
    expect((await terminal.run(`${at} ${editor(script)}`)).code).toBe(0);
    expect(readFileSync(file("opened"), "utf8")).toMatch(new RegExp(`^${name}: 5$`, "m"));
  });

  test.each([
    ["removed", { default: 100 }],
    ["added", { default: 100, nas: 50, tape: 1 }],
  ])("a key of an object that another user %s meanwhile is a conflict", async (_, meanwhile) => {
    const name = "repository_storages_weighted";
    const put = (value: object) =>
      run("api", "-X", "PUT", "application/settings", "--input", "-", { input: body(value) });
    const body = (value: object) => JSON.stringify({ [name]: value });
    expect((await put({ default: 100, nas: 50 })).code).toBe(0);
    writeFileSync(file("meanwhile"), body(meanwhile));
    const script =
      `sed -i '/^${name}:/,+2 s/default: 100/default: 90/' "$1"\n` +
      `forgectl api -X PUT application/settings --input "$HOME/meanwhile" -q > /dev/null`;
    const { lines, code } = await terminal.run(editor(script));
    expect([code, lines.join("\n")]).toEqual([
      6,
      expect.stringContaining(`${name}: changed on the instance while you`),
    ]);
    expect(keptIn(lines)).toContain("default: 90");
    expect(JSON.parse(await current(name))).toEqual(meanwhile);
  });

  test("a key of an object that was removed from the text is a problem of it, since it would be sent along", async () => {
    const body = JSON.stringify({ repository_storages_weighted: { default: 100, nas: 50 } });
    expect((await run("api", "-X", "PUT", "application/settings", "--input", "-", { input: body })).code).toBe(0);
    const { lines, code } = await terminal.run(editor(`sed -i '/^  nas: 50/d' "$1"`));
    expect([code, lines.join(" ")]).toEqual([
      2,
      expect.stringContaining("repository_storages_weighted.nas cannot be removed"),
    ]);
  });

  test.each([
    ["saves the same faulty text", `sed -i 's/^signup_enabled: .*/signup_enabled: perhaps/' "$1"`, 2],
    ["adds a faulty line each time", `echo 'signup_enabled: perhaps' >> "$1"`, 20],
    ["writes nothing but a faulty text", `echo 'signup_enabled: perhaps' > "$1"`, 2],
  ])("an editor that %s is not reopened without end; the text is kept", async (_, script, times) => {
    const before = await current("signup_enabled");
    const { lines, code } = await terminal.run(editor(script));
    expect([code, lines.slice(0, 3).join("\n")]).toEqual([
      2,
      expect.stringMatching(
        /^error: the text that was saved has problems\ncause: line \d+: .*\noutcome: nothing was sent; /,
      ),
    ]);
    expect(openings().length).toBe(times);
    expect(keptIn(lines)).toMatch(/perhaps/);
    expect(await current("signup_enabled")).toBe(before);
  });

  test("the original text below the problems is an unchanged text", async () => {
    const script =
      `if grep -q '^# Not applied:' "$1"; then { head -n 2 "$1"; cat "$HOME/original"; } > "$1.new"; mv "$1.new" "$1"\n` +
      `else cp "$1" "$HOME/original"; sed -i 's/^signup_enabled: .*/signup_enabled: perhaps/' "$1"; fi`;
    const { lines, code } = await terminal.run(editor(script));
    expect([code, lines[0]]).toEqual([2, "error: the text was not changed"]);
    expect(openings().filter((opened) => existsSync(opened))).toEqual([]);
  });

  test.each([
    ["refuses it", 400, "refused", false],
    ["fails", 500, "unknown", true],
  ])("the text is kept if the instance %s, and can be applied", async (_what, status, outcome, mayBeMade) => {
    const instance = await signedIn(answering(status));
    const { FORGECTL_BASE_URL } = instance.env;
    const script = `sed -i 's/^signup_enabled: .*/signup_enabled: false/' "$1"`;
    const at = `FORGECTL_BASE_URL=${FORGECTL_BASE_URL}`;
    const { lines, code } = await terminal.run(`${at} ${editor(script)}`);
    expect([code, lines.join("\n")]).toEqual([1, expect.stringMatching(new RegExp(`#settings +update +${outcome}`))]);
    expect(instance.seen.filter((line) => line.startsWith("PUT")).length).toBeGreaterThan(0);
    const [, apply = ""] = /^try: +forgectl (settings apply -f \S+) /m.exec(lines.join("\n")) ?? [];
    const { lines: planned } = await terminal.run(`${at} forgectl ${apply.replace("apply", "plan")}`);
    expect(planned.join("\n")).toMatch(/signup_enabled +true → false/);
    expect(lines.some((line) => line.includes("state rollback"))).toBe(mayBeMade);
    expect(keptIn(lines)).toMatch(/^signup_enabled: false$/m);
  });
});

/** An instance that answers each change with this status. */
function answering(status: number): Answer {
  return (request, response, origin) =>
    request.method === "PUT"
      ? json(status, '{"message":"no"}')(request, response, origin)
      : json(200, '{"id":1,"signup_enabled":true,"updated_at":"2026-01-01T00:00:00Z"}')(request, response, origin);
}
