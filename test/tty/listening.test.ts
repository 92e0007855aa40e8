import { expect, test } from "vitest";
import { post } from "../support/listening.ts";
import { describeTerminal, openTerminal } from "../support/terminal.ts";

describeTerminal("hooks listen on a terminal", () => {
  test("shows each delivery as it arrives, executes nothing in it, and ends with 0 on Ctrl-C", async () => {
    const terminal = await openTerminal({ columns: 140 });
    terminal.start("forgectl hooks listen");
    const [first = ""] = await terminal.shows(/listening on/);
    const [, url = ""] = /^listening on (\S+); Ctrl-C stops it$/.exec(first) ?? [];
    const comment = (text: string) =>
      JSON.stringify({ project: { path_with_namespace: "acme/docs" }, object_attributes: { note: text } });
    const headers = { "X-Service-Event": "Note Hook" };
    await post(url, { headers, body: comment("Hi") });
    await terminal.shows(/Note Hook +acme\/docs +Hi +200/);
    await post(url, { headers, body: comment("\u001b[2J\u001b]0;owned\u0007 a longer one") });
    const lines = await terminal.shows(/Note Hook +acme\/docs +␛\[2J␛\]0;owned␇ a longer one +200/);
    expect(lines[1]).toMatch(/^received_at +event +place +title +status +error$/);
    await post(url, { method: "GET", headers: { Host: "evil.example" } });
    await terminal.shows(/^warning: refused with 421/m);
    terminal.press("C-c");
    const ended = await terminal.end();
    expect([ended.lines.at(-1), ended.code]).toEqual(["^C", 0]);
  });
});
