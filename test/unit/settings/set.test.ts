import { expect, test } from "vitest";
import { set } from "../../../src/commands/settings/set.ts";
import type { Context } from "../../../src/context.ts";
import { contextFor } from "../../support/context.ts";

/** A simulated instance that stores changes, and a user who answers every prompt with `answer`. */
function terminal(answer: string) {
  const questions: string[] = [];
  const sent: object[] = [];
  // What was set is remembered in a folder of files.
  const { files, now, stateFolder, uninterrupted } = contextFor("http://127.0.0.1:1");
  const context = {
    ...{ files, now, stateFolder, uninterrupted },
    config: { yes: false, dryRun: false, baseUrl: { value: "https://forge.example/team", source: "--base-url" } },
    prompt: {
      available: true,
      text: async (question: string) => {
        questions.push(question);
        return answer;
      },
      secret: async (question: string) => {
        questions.push(question);
        return answer;
      },
    },
    api: {
      call: async ({ method }: { method: string }, input: { settings: object }) => {
        if (method === "GET") return { id: 1, admin_mode: false, signup_enabled: true };
        sent.push(input);
        return input.settings;
      },
    },
    notice: () => undefined,
    closing: () => undefined,
    warn: () => undefined,
  };
  return {
    questions,
    sent,
    type: (...assignments: string[]) => set.run(context as unknown as Context, { assignments } as never),
  };
}

test("a setting that can lock users out asks for its name", async () => {
  const { questions, sent, type } = terminal("admin_mode");
  await type("admin_mode=true", "signup_enabled=false");
  expect(questions).toEqual([
    "Set admin_mode to true on forge.example, which can lock users out? Type admin_mode to confirm:",
  ]);
  expect(sent).toEqual([{ settings: { admin_mode: true, signup_enabled: false }, secrets: {} }]);
});

test("several of them ask for the instance's host", async () => {
  const { questions, sent, type } = terminal("forge.example");
  await type("admin_mode=true", "max_login_attempts=3");
  expect(questions).toEqual([
    "Set admin_mode to true and max_login_attempts to 3 on forge.example, which can lock users out? Type forge.example to confirm:",
  ]);
  expect(sent).toHaveLength(1);
});

test("any other answer sends nothing", async () => {
  const { sent, type } = terminal("y");
  await expect(type("admin_mode=true")).rejects.toThrow("not confirmed");
  expect(sent).toEqual([]);
});

test("a secret from a terminal is not echoed, and is sent separately", async () => {
  const { questions, sent, type } = terminal("s3cret");
  await expect(type("spam_check_api_key=-")).resolves.toMatchObject({ record: { spam_check_api_key: "[redacted]" } });
  expect(questions).toEqual(["spam_check_api_key:"]);
  expect(sent).toEqual([{ settings: {}, secrets: { spam_check_api_key: "s3cret" } }]);
});
