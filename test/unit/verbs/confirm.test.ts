import { describe, expect, test } from "vitest";
import { asks, confirm, confirmed, type Question, refuseUnasked } from "../../../src/verbs/confirm.ts";
import { contextFor } from "../../support/context.ts";

interface Person {
  /** Undefined: there is no terminal. */
  answer?: boolean | string;
  yes?: boolean;
  yesFor?: string;
  dryRun?: boolean;
}

function contextOf({ answer, yes = false, yesFor, dryRun = false }: Person) {
  const context = contextFor("http://127.0.0.1:1");
  const said: string[] = [];
  const asked = async (question: string) => {
    said.push(question);
    return answer;
  };
  Object.assign(context.config, { yes, yesFor, dryRun });
  const prompt = { available: answer !== undefined, confirm: asked, text: asked };
  return Object.assign(context, { prompt, warn: (text: string) => said.push(`warning: ${text}`), said });
}

const question: Question = { action: "delete tag v1" };

describe("a question", () => {
  test("names the action, and warns of what cannot be undone before it", async () => {
    const context = contextOf({ answer: true });
    await confirm(context, { ...question, remark: "it cannot be restored" });
    expect(context.said).toEqual(["warning: it cannot be restored", "Delete tag v1?"]);
  });

  test("answered with no is exit 2: nothing was sent", async () => {
    await expect(confirm(contextOf({ answer: false }), question)).rejects.toMatchObject({
      exit: "usage",
      message: "not confirmed",
      details: { code: "not_confirmed", nothing: "sent" },
    });
  });

  test("of wide effect wants a text, which is looked up only if a person is asked", async () => {
    const typed = { ...question, typed: async () => "acme" };
    const context = contextOf({ answer: " acme " });
    await confirm(context, typed);
    expect(context.said).toEqual(["Delete tag v1? Type acme to confirm:"]);
    await expect(confirm(contextOf({ answer: "acm" }), typed)).rejects.toThrow("not confirmed");
    await expect(confirm(contextOf({ answer: "y" }), { ...question, typed: "8" })).rejects.toThrow("not confirmed");
    await confirm(contextOf({ answer: "8" }), { ...question, typed: "8" });
    const never = () => Promise.reject(new Error("looked up"));
    await confirm(contextOf({ yes: true }), { ...question, typed: never });
  });

  test.each<Person>([{ yes: true }, { dryRun: true }, { yes: true, answer: false }, { dryRun: true, answer: false }])(
    "is not asked with %j",
    async (person) => {
      const context = contextOf(person);
      expect(asks(context)).toBe(false);
      await confirm(context, question);
      expect(context.said).toEqual([]);
    },
  );

  test("that cannot be asked is an error with what to add", async () => {
    await expect(confirm(contextOf({}), { ...question, remark: "it is final" })).rejects.toMatchObject({
      exit: "usage",
      message: "this would delete tag v1, and needs confirmation",
      details: {
        code: "confirmation_needed",
        reason: "it is final",
        hint: "add --yes to confirm, or --dry-run to see the requests",
      },
    });
    const error = await confirm(contextOf({}), { ...question, instead: "keep it with --keep" }).catch(
      (thrown) => thrown,
    );
    expect(error.details).toEqual({
      code: "confirmation_needed",
      hint: "keep it with --keep; or add --yes to confirm, or --dry-run to see the requests",
    });
  });

  test("can be refused before any request, and is only then", async () => {
    await expect(refuseUnasked(contextOf({}), question)).rejects.toThrow("needs confirmation");
    const asked = contextOf({ answer: false });
    await refuseUnasked(asked, question);
    expect(asked.said).toEqual([]);
    expect(asks(asked)).toBe(true);
    expect(asks(contextOf({}))).toBe(false);
  });

  test("of a command inside another is answered by that one", async () => {
    const asked: Question[] = [];
    const context = Object.assign(contextOf({}), { answer: (each: Question) => void asked.push(each) });
    await refuseUnasked(context, question);
    await confirm(context, { ...question, remark: "it cannot be undone" });
    expect(asked).toEqual([{ ...question, remark: "it cannot be undone" }]);
  });
});

test("a suggested command has --yes as it was given", () => {
  expect(confirmed(contextOf({}))).toEqual([]);
  expect(confirmed(contextOf({ yes: true }))).toEqual(["--yes"]);
  expect(confirmed(contextOf({ yes: true, yesFor: "prod" }))).toEqual(["--yes=prod"]);
});
