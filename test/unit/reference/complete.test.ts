import { expect, test } from "vitest";
import { commandsCommand } from "../../../src/commands/commands.ts";
import { completeCommand, completionCommand } from "../../../src/commands/completion.ts";
import type { Context } from "../../../src/context.ts";
import type { Command } from "../../../src/declare/command.ts";
import { completionScript } from "../../../src/reference/completion.ts";
import { sample } from "./fixture.ts";

const entries = sample.map((node) => ({ load: async () => node }));

const profiles = new Map([
  ["work", { settings: { "base-url": "https://forge.example.com", project: "acme/storefront" }, rest: {} }],
  ["home", { settings: { project: "me/\tdotfiles", group: "me" }, rest: {} }],
]);

/** A context that has only stored profiles, and a project from the environment. */
const context = {
  config: {
    project: { value: "7", source: "FORGECTL_PROJECT" },
    store: { read: async () => ({ current: undefined, profiles, rest: {} }) },
  },
} as unknown as Context;

async function printed(command: Command, input: object): Promise<string> {
  const view = await command.run(context, input as never);
  if (view === undefined || !("bytes" in view)) throw new Error("no text was printed");
  let text = "";
  for await (const chunk of view.bytes) text += new TextDecoder().decode(chunk);
  return text;
}

test("profiles complete, each with its address", async () => {
  expect(await printed(completeCommand, { kind: "profile" })).toBe(
    "work\thttps://forge.example.com\nhome\tno address yet\n",
  );
});

test("projects and groups are those that profiles and environment name, a line each whatever is in them", async () => {
  expect(await printed(completeCommand, { kind: "project" })).toBe(
    "acme/storefront\tprofile work\nme/ dotfiles\tprofile home\n7\tFORGECTL_PROJECT\n",
  );
  expect(await printed(completeCommand, { kind: "group" })).toBe("me\tprofile home\n");
});

test("settings complete by name, then by what they may be", async () => {
  expect(await printed(completeCommand, { kind: "setting" })).toContain("signup_enabled\t");
  expect(await printed(completeCommand, { kind: "assignment", typed: "sign" })).toContain("signup_enabled=\t");
  const values = await printed(completeCommand, { kind: "assignment", typed: "signup_enabled=" });
  expect(values.split("\n").map((line) => line.split("\t")[0])).toEqual([
    "signup_enabled=true",
    "signup_enabled=false",
    "",
  ]);
  expect(await printed(completeCommand, { kind: "assignment", typed: "no_such_setting=" })).toBe("");
});

test("completion prints the script of these very commands", async () => {
  expect(await printed(completionCommand(entries), { shell: "fish" })).toBe(completionScript("fish", sample));
});

test("commands gives a row for each command, and the global flags when asked", async () => {
  const run = async (input: object) => {
    const view = await commandsCommand(entries).run(context, input as never);
    return view !== undefined && "rows" in view ? [...(view.rows as object[])] : [];
  };
  expect((await run({})).map((row) => ("command" in row ? row.command : ""))).toContain("things tags delete");
  expect(await run({ global_flags: true })).toContainEqual(expect.objectContaining({ flag: "--output", short: "-o" }));
});

test("the kinds of a hook's events complete one by one", async () => {
  expect(await printed(completeCommand, { kind: "hook-event", typed: "push,em" })).toContain(
    "push,emoji\tEmoji reactions\n",
  );
});
