import { expect, test } from "vitest";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { atEnd } from "../support/ending.ts";
import { startSandbox } from "../support/sandbox.ts";
import { requestsIn } from "../support/session.ts";
import { describeTerminal, openTerminal } from "../support/terminal.ts";

describeTerminal("commands that need a confirmation ask, and say exactly what will be lost", () => {
  async function operator(more: SandboxOptions = {}) {
    const log: string[] = [];
    const sandbox = await startSandbox({ ...more, log: (line) => log.push(line) });
    atEnd(() => sandbox.close());
    const env = { FORGECTL_BASE_URL: sandbox.url, FORGECTL_TOKEN: sandbox.tokens.administrator };
    const terminal = await openTerminal({ columns: 200, rows: 40, env });
    const changes = () => requestsIn(log).filter((line) => !/^(?:GET|HEAD) /.test(line));
    const send = async (method: string, path: string, body: object) => {
      const headers = { "private-token": env.FORGECTL_TOKEN, "content-type": "application/json" };
      const sent = { method, headers, body: JSON.stringify(body) };
      expect((await fetch(`${sandbox.url}/api/v4/${path}`, sent)).ok).toBe(true);
      log.length = 0;
    };
    return { ...terminal, changes, send, host: new URL(sandbox.url).host };
  }

  test("answering no sends nothing and is exit 2", { timeout: 90_000 }, async () => {
    const { start, shows, type, press, end, changes, host } = await operator();
    const declined = async (line: string, question: RegExp, answer: string) => {
      start(line);
      const asked = await shows(question);
      type(answer);
      press("Enter");
      const { code, lines } = await end();
      expect([code, lines.join(" ")], asked.join("\n")).toEqual([2, expect.stringContaining("error: not confirmed")]);
    };
    const prune = "forgectl registry tags prune 12 -p 7 --delete-regex";
    await declined(`${prune} 'nightly-.*' --keep-n 1`, /Delete 13 of 63 tags/, "n");
    // The whole repository: its path must be typed, and yes is refused.
    await declined(`${prune} '.*'`, /Delete 62 of 63 tags.*[\s\S]*Type acme\/storefront/, "y");
    // Of these, the repository with a tie is skipped: only the five of the other one are counted.
    const tied = "forgectl registry prune -p 7 --delete-regex 'v1|v1\\.18\\.0|v1\\.[1-5]\\.0' --keep-n 1";
    await declined(tied, /Delete 5 of 90 tags in 1 repository of 7\?/, "n");
    await declined(`${tied} --via tags`, /Delete 11 of 90 tags in 2 repositories of 7\?/, "n");
    await declined("forgectl registry delete 12 -p 7", /repository 12 \(acme\/storefront, 63 tags\).*[\s\S]*Type/, "y");
    await declined("forgectl hooks update 2 -g acme --header 'X-Z: 1'", /drops header X-Deploy-Key/, "n");
    await declined(
      "forgectl hooks update 2 -g acme --url https://x.example/y",
      /secret token[\s\S]*X-\s*Deploy-Key/,
      "n",
    );
    await declined("forgectl job-token limit off -p 7", /Open project 7 to the job tokens of every project/, "n");
    await declined("forgectl settings set enforce_terms=true terms=hi", new RegExp(`Type\\s+${host}`), "y");
    expect(changes()).toEqual([]);
  });

  test("what others change while a question is open is not overwritten: exit 6, and nothing is sent", {
    timeout: 60_000,
  }, async () => {
    const { start, shows, type, press, end, changes, send, host } = await operator();
    const changedMeanwhile = async (line: string, question: RegExp, change: () => Promise<void>, answer: string) => {
      start(line);
      await shows(question);
      await change();
      type(answer);
      press("Enter");
      const { code, lines } = await end();
      expect({ code, changes: changes() }, lines.join("\n")).toEqual({ code: 6, changes: [] });
      return lines.join(" ");
    };
    const moved = await changedMeanwhile(
      "forgectl hooks update 2 -g acme --header 'X-Z: 1'",
      /drops header X-Deploy-Key/,
      () => send("PUT", "groups/acme/hooks/2", { url: "https://moved.example/in" }),
      "y",
    );
    expect(moved).toContain("hook 2 of group acme: changed while the question was open");
    const accepted = await changedMeanwhile(
      "forgectl settings set enforce_terms=true terms=hi",
      /Type \S+ to confirm/,
      () => send("PUT", "application/settings", { terms: "others", enforce_terms: false }),
      host,
    );
    const note = "projects/7/issues/28/notes/300001";
    await changedMeanwhile(
      "forgectl notes delete 300001 --issue 28 -p 7",
      /Delete note 300001 .*\?/,
      () => send("PUT", note, { body: "It is something else now." }),
      "y",
    );
    const commit = { branch: "main", commit_message: "Another", content: "Another one" };
    await changedMeanwhile(
      "forgectl files delete README.md -p 7 -b main -m Away",
      /Delete the file README.md on branch main/,
      () => send("PUT", "projects/7/repository/files/README.md", commit),
      "y",
    );
    await changedMeanwhile(
      "forgectl registry delete 12 -p 7",
      /Type acme\/storefront to confirm/,
      () => send("DELETE", "projects/7/registry/repositories/12/tags/v1", {}),
      "acme/storefront",
    );
    expect(accepted).toContain(`enforce_terms, terms on ${host}: changed while the question was open`);
  });

  test("what was not changed meanwhile is sent after the question", { timeout: 60_000 }, async () => {
    const { start, shows, type, press, end, changes } = await operator();
    start("forgectl hooks update 2 -g acme --header 'X-Z: 1'");
    await shows(/drops header X-Deploy-Key/);
    type("y");
    press("Enter");
    expect([(await end()).code, changes()]).toEqual([0, ["PUT /api/v4/groups/acme/hooks/2 200"]]);
  });

  test("hooks redeliver names the number, the span of time, the host, and the end", { timeout: 60_000 }, async () => {
    const { start, shows, type, press, end, changes } = await operator();
    start("forgectl hooks redeliver 2 -g acme");
    const time = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \\d\\d:\\d\\d";
    const span = `of ${time} to ${time} to deploys\\.acme\\.example`;
    const screen = await shows(new RegExp(`Resend 15 deliveries ${span}; the last at ${time}, in \\dm\\?`));
    expect(screen.join(" ")).toMatch(/what receivers do .* cannot be undone; email addresses .* read \[REDACTED\]/);
    type("n");
    press("Enter");
    expect((await end()).code).toBe(2);
    start("forgectl hooks resend 2 109 110 -g acme");
    await shows(/Resend 2 deliveries of .* to deploys\.acme\.example\?/);
    press("Enter");
    expect([(await end()).code, changes()]).toEqual([2, []]);
  });

  test("an address whose host is a variable is asked about as it is, without its credentials", {
    timeout: 60_000,
  }, async () => {
    const { start, shows, press, end, send, changes } = await operator();
    await send("PUT", "groups/acme/hooks/2", { url: "http://ci:{password}@deploys.acme.example/in" });
    start("forgectl hooks resend 2 109 110 -g acme");
    const shown = /to an address whose host is a variable: http:\/\/\[redacted\]\{password\}@deploys\.acme\.example\?/;
    await shows(shown);
    press("Enter");
    expect([(await end()).code, changes()]).toEqual([2, []]);
  });

  test("remap names the number of mails, with those of temporary UIDs", { timeout: 60_000 }, async () => {
    const { start, run, shows, press, end, changes } = await operator({ hosting: "hosted" });
    const uids = "forgectl saml identities list -g acme --fields extern_uid --no-header";
    await run(`${uids} | head -2 > uids`);
    await run(
      "printf 'old,new\\n%s,%s\\n%s,%s\\n' $(sed -n 1p uids) $(sed -n 2p uids) $(sed -n 2p uids) $(sed -n 1p uids) > swap.csv",
    );
    start("forgectl saml identities remap -g acme --map swap.csv");
    // Two identities, and a temporary UID between them.
    await shows(
      /Change the UIDs of 2 .*\(3 emails to users; newer instances then refuse their sign-in until they link their accounts again\)\?/i,
    );
    press("Enter");
    expect((await end()).code).toBe(2);
    await run("printf 'old,new\\n%s,%s\\n' $(sed -n 1p uids) ada-new > one.csv");
    start("forgectl saml identities remap -g acme --map one.csv");
    await shows(
      /\(1 email to users; newer instances then refuse their sign-in until they link their accounts again\)\?/,
    );
    press("Enter");
    expect([(await end()).code, changes()]).toEqual([2, []]);
  });

  test("state apply and settings apply show what would change above the question", { timeout: 60_000 }, async () => {
    const { start, shows, type, press, end, changes } = await operator();
    start(
      "printf 'signup_enabled: true\\nafter_sign_up_text: \"a\\\\e[2J\\\\nb\"\\n' > s.yaml; forgectl settings apply -f s.yaml",
    );
    const screen = (await shows(/Make 1 change on .*\?/)).join("\n");
    // Each field and each line of a text is a line.
    expect(screen).toMatch(
      /~ \S*settings.*\n +signup_enabled.*\n +after_sign_up_text +\+ a␛\[2J\n +\+ b\n.*Make 1 change/,
    );
    type("n");
    press("Enter");
    expect((await end()).code).toBe(2);
    expect(changes()).toEqual([]);
  });

  test("a name of several lines writes no line that looks like another change", { timeout: 60_000 }, async () => {
    const { start, shows, type, press, end, send } = await operator();
    const path = "projects/7/protected_environments";
    const forged = "~\u00a0acme/mobile/ios-app#hooks/Deploy".padEnd(199, "\u00a0");
    const name = `${"x".repeat(158)} ${forged}`.slice(0, 250);
    await send("POST", path, { name, deploy_access_levels: [{ access_level: 40 }] });
    const text = "forgectl: 1\nprojects: { acme/storefront: { protected_environments: [] } }\n";
    // Its lines are as wide as the terminal, even if the result goes elsewhere.
    for (const more of ["", " > rows.tsv"]) {
      start(`printf '${text}' > s.yaml; forgectl state apply -f s.yaml --prune${more}`);
      const lines = await shows(/Make 3 changes .*\?/);
      expect(lines.filter((line) => /^[-~+]/.test(line)).map((line) => line[0])).toEqual(["-", "-", "-"]);
      expect(lines.join("\n")).toMatch(/^ {8}.*~\sacme\/mobile\/ios-app/m);
      type("n");
      press("Enter");
      expect((await end()).code).toBe(2);
    }
  });

  test("each asks the command's own question, once for all, with its values added up", {
    timeout: 90_000,
  }, async () => {
    const { start, shows, type, press, end, changes } = await operator();
    const asked = async (line: string, input: string, question: RegExp) => {
      start(`printf '${input}' | tr ' ' '\\n' > list.txt; forgectl each --projects-file list.txt -- ${line}`);
      const screen = await shows(question);
      type("n");
      press("Enter");
      expect((await end()).code, screen.join("\n")).toBe(2);
    };
    const three = "acme/docs acme/website acme/storefront acme/mobile";
    await asked(
      "job-token limit off",
      three,
      /Open 4 projects \(acme\/docs, acme\/website, acme\/storefront, \.\.\.\) to the job tokens of every project of the/,
    );
    // Nothing to ask by itself: all of its words are named.
    await asked(
      "errors settings set --active false --integrated false",
      "7 4",
      /Run "errors settings set --active false/,
    );
    // The numbers of both projects.
    await asked(
      "registry prune --delete-regex nightly-.* --keep-n 1 --via tags",
      "acme/storefront acme/platform/gateway",
      /Delete \d+ of \d+ tags in \d+ repositories of 2 projects \(acme\/storefront, acme\/platform\/gateway\)\? Type 2/,
    );
    // An ID is not the same digit in a count or a size.
    await asked(
      "uploads prune --older-than 1d",
      "7 4",
      /Delete 5 of 5 uploads, 17\.0 KiB \(2 projects \(7, 4\)\)\? Type 2/,
    );
    await asked("job-token limit off", "7 4", /Open 2 projects \(7, 4\) to the job tokens/);
    expect(changes()).toEqual([]);
    // Sizes cannot be added up, not even equal ones.
    start(
      "printf abc > f.txt; for p in 4 5; do forgectl uploads create f.txt -p $p -q -o tsv --fields id; done; sleep 2",
    );
    expect((await end()).code).toBe(0);
    await asked("uploads prune --older-than 1s", "4 5", /4: Delete 1 of 1 uploads, 3 B \(project 4\)\n.*Do this in 2/s);
  });

  test("each says once what nothing takes back, of what its command would ask", { timeout: 60_000 }, async () => {
    const { start, shows, type, press, end, changes } = await operator();
    start("printf 'acme\nacme/platform\n' > list.txt; forgectl each --groups-file list.txt -- saml links remove Ops");
    const lines = await shows(/2 groups \(acme, acme\/platform\)/);
    expect(lines.join(" ").match(/the last SAML link of a group added stay in the group/g)).toHaveLength(1);
    type("n");
    press("Enter");
    expect([(await end()).code, changes()]).toEqual([2, []]);
  });

  test("a question after a text that was typed, and ended with Ctrl-D, is asked and answered", async () => {
    const { start, shows, type, press, end, changes } = await operator();
    start("echo typing; forgectl settings apply -f -");
    await shows(/^typing$/m);
    for (const line of ["forgectl: 1", "settings:", "  terminal_max_session_time: 3600"]) {
      type(line);
      press("Enter");
    }
    press("C-d");
    await shows(/Make 1 change on/);
    type("y");
    press("Enter");
    const { code, lines } = await end();
    expect([code, lines.join("\n")]).toEqual([0, expect.stringContaining("1 change made and verified")]);
    expect(changes()).toEqual([expect.stringContaining("PUT /api/v4/application/settings 200")]);
  });

  test("a dry run shows the complete request: method, address, headers, and indented JSON", async () => {
    const { run, changes } = await operator();
    const address = `https://h.example/${"y".repeat(300)}END?private_token=s3cret`;
    const { lines, code } = await run(`forgectl hooks create '${address}' -g acme --events push -n`);
    const shown = lines.map((line) => line.trim()).join("");
    expect(code).toBe(0);
    expect(shown).toContain(`${"y".repeat(300)}END?private_token=[redacted]`);
    expect(lines.join("\n")).toMatch(/^POST http\S+\/groups\/acme\/hooks$/m);
    expect(lines).toContain('    "push_events": true,');
    expect(lines.join("")).not.toContain("…");
    expect(changes()).toEqual([]);
  });
});
