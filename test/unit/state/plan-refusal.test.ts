import { describe, expect, test } from "vitest";
import { UsageError } from "../../../src/base/errors.ts";
import { confirmPlan, countWords } from "../../../src/commands/state/plan-question.ts";
import type { Context } from "../../../src/context.ts";
import type { Action, Change } from "../../../src/state/kind.ts";
import { samlLinksKind } from "../../../src/state/kinds/links.ts";
import type { SharedList } from "../../../src/state/patterns/shared-lists.ts";
import type { Plan } from "../../../src/state/plan/plan.ts";
import { type PlanLimits, refusePlan, warnOfRefusal } from "../../../src/state/plan/plan-refusal.ts";
import { changeOf } from "../../support/compared.ts";

const one = changeOf(samlLinksKind, undefined, { name: "A", access_level: 30 });

function times(count: number, action: Action = "delete", more: Partial<Change> = {}): Change[] {
  return Array.from({ length: count }, (_, at) => ({ ...one, action, key: `k${at}`, ...more }));
}

const origin = { file: "state.yaml", line: 4 };
const list = "acme#saml_group_links";

function plan(changes: readonly Change[], size?: number, shared: readonly SharedList[] = []): Plan {
  const pruned = new Map(size === undefined ? [] : [[list, { size, origin }]]);
  return { readAtMs: 0, changes, equal: 0, pruned, shared, caller: undefined };
}

function refusal(of: Plan, limits: Partial<PlanLimits> = {}): string | undefined {
  try {
    refusePlan(of, { maxDelete: undefined, allowLockout: false, ...limits });
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).code).toMatch(/^(?:lockout|too_many_removals|usage)$/);
    const { message, details } = error as UsageError;
    return details.reason === undefined ? message : `${message}: ${details.reason}`;
  }
}

describe("how much of a list a plan may remove", () => {
  test.each<[count: number, size: number, maxDelete: string | undefined, allowed: boolean]>([
    // A short list: at most three.
    [3, 9, undefined, true],
    [4, 9, undefined, false],
    [3, 3, undefined, true],
    // Of at least ten entries 30 %.
    [3, 10, undefined, true],
    [4, 10, undefined, false],
    [30, 100, undefined, true],
    [31, 100, undefined, false],
    [100, 100, "all", true],
    [5, 9, "5", true],
    [6, 9, "5", false],
    [1, 9, "0", false],
    [5, 10, "50%", true],
    [6, 10, "50%", false],
    [2, 3, "60%", false],
    [10, 10, "100%", true],
    [1, 10, "9%", false],
  ])("%i of %i with --max-delete %s: %s", (count, size, maxDelete, allowed) => {
    const reason = `too much would be removed from ${list}: state.yaml:4: ${list}: ${count} of ${size}`;
    expect(refusal(plan(times(count), size), { maxDelete })).toBe(allowed ? undefined : reason);
    // Disarming removes as well.
    expect(refusal(plan(times(count, "disarm"), size), { maxDelete }) === undefined).toBe(allowed);
  });

  test("what is not removed does not count, and each list counts for itself", () => {
    const changes = [...times(9, "extra"), ...times(9, "update"), ...times(3)];
    const other = times(3, "delete", { scope: { at: "group", name: "labs" } });
    expect(refusal(plan([...changes, ...other], 5))).toBeUndefined();
  });

  test("a list of which the size is not known is as long as its removals", () => {
    expect(refusal(plan(times(4)))).toBe(`too much would be removed from ${list}: ${list}: 4 of 4`);
    expect(refusal(plan(times(3)))).toBeUndefined();
  });

  test.each(["", "some", "30 %", "-1", "101%", "1.5", "1e3", "%", "1234567890"])(
    "--max-delete %j is no limit",
    (maxDelete) => {
      expect(refusal(plan([]), { maxDelete })).toBe(
        `--max-delete: must be a share (30%), a number, or all, not "${maxDelete}"`,
      );
    },
  );

  const shared = (removals: number, size: number, more: Partial<SharedList> = {}): SharedList => ({
    name: "acme/** allowlist",
    at: "project",
    origin,
    size,
    removals,
    scopes: 6,
    ...more,
  });

  test("the lists of a pattern count as one, in whatever many scopes", () => {
    expect(refusal(plan([], undefined, [shared(6, 8)]))).toBe(
      "too much would be removed from acme/** allowlist: acme/** allowlist (state.yaml:4): 6 of 8 in 6 projects",
    );
    expect(refusal(plan([], undefined, [shared(3, 100)]))).toBeUndefined();
    const placeless = shared(6, 8, { origin: undefined, scopes: 1 });
    expect(refusal(plan([], undefined, [placeless]))).toBe(
      "too much would be removed from acme/** allowlist: acme/** allowlist: 6 of 8 in 1 project",
    );
  });

  test("and lose at most a hundred entries, however long they are, unless a limit is given", () => {
    expect(refusal(plan([], undefined, [shared(100, 10_000)]))).toBeUndefined();
    expect(refusal(plan([], undefined, [shared(101, 10_000)]))).toContain("101 of 10000");
    expect(refusal(plan([], undefined, [shared(101, 10_000)]), { maxDelete: "30%" })).toBeUndefined();
  });

  test("all that is too much is named, first that of patterns", () => {
    expect(refusal(plan(times(4), 9, [shared(6, 8)]))).toBe(
      `too much would be removed from acme/** allowlist, ${list}: ` +
        `acme/** allowlist (state.yaml:4): 6 of 8 in 6 projects; state.yaml:4: ${list}: 4 of 9`,
    );
  });
});

describe("what locks out the caller", () => {
  const [a, b] = times(2, "update", { lockout: { reason: "the caller would lose access", certain: true } }) as [
    Change,
    Change,
  ];
  const may: Change = { ...a, lockout: { reason: "x can lock users out", certain: false } };

  test("is refused without --allow-lockout; what only may is asked about", () => {
    expect(refusal(plan([a, b, may]))).toBe(`${list}/k0, ${list}/k1: the caller would lose access`);
    expect(refusal(plan([a]), { allowLockout: true })).toBeUndefined();
    expect(refusal(plan([may]))).toBeUndefined();
  });

  test("--allow-lockout allows no removals", () => {
    expect(refusal(plan([a, ...times(4)], 9), { allowLockout: true })).toContain("4 of 9");
  });

  test("a plan warns of what an apply would refuse", () => {
    const warned = (of: Plan) => {
      const texts: string[] = [];
      warnOfRefusal({ warn: (text) => texts.push(text) }, of);
      return texts;
    };
    expect(warned(plan([a]))).toEqual([
      `apply would refuse this: ${list}/k0: the caller would lose access; add --allow-lockout if this is intended`,
    ]);
    expect(warned(plan(times(4), 9))).toEqual([
      `apply would refuse this: too much would be removed from ${list} (state.yaml:4: ${list}: 4 of 9); ` +
        "check the plan; if all of it is intended, add --max-delete all (or a number, or a share such as 50%)",
    ]);
    expect(warned(plan([]))).toEqual([]);
  });
});

test("changes are counted by what they do", () => {
  const changes = (
    ["create", "update", "update", "replace", "delete", "disarm", "extra", "unreadable"] as const
  ).flatMap((action) => times(1, action));
  expect(countWords(changes)).toBe("1 to create, 2 to change, 1 to replace, 1 to remove, 1 to disarm");
  expect(countWords(times(1, "extra"))).toBe("no change");
});

describe("the question before changes", () => {
  const risky = { lockout: { reason: "x can lock users out", certain: false } };
  const asked = async (changes: readonly Change[], answer = "forge.example.com") => {
    const questions: string[] = [];
    const ask = async (text: string) => {
      questions.push(text);
      return answer;
    };
    const prompt = { available: true, confirm: async (text: string) => (await ask(text)) !== "", text: ask };
    const context = { config: { baseUrl: { value: "https://forge.example.com/x" } }, prompt } as unknown as Context;
    await confirmPlan(context, plan(changes));
    return questions;
  };

  test.each<[changes: Change[], question: string]>([
    [times(1, "update"), "Make 1 change on forge.example.com?"],
    [[...times(2, "update"), ...times(1, "extra")], "Make 2 changes on forge.example.com?"],
    [[...times(1, "update"), ...times(1)], "Make 2 changes (1 to change, 1 to remove) on forge.example.com?"],
    [
      times(1, "update", risky),
      `Make 1 change on forge.example.com, ${list}/k0 of which can lock users out? Type forge.example.com to confirm:`,
    ],
    [times(1), "Make 1 change (1 to remove) on forge.example.com?"],
  ])("is one for all", async (changes, question) => {
    expect(await asked(changes)).toEqual([question]);
  });

  test("what can lock users out needs the host to be typed", async () => {
    await expect(asked(times(1, "update", risky), "y")).rejects.toThrow("not confirmed");
    await expect(asked(times(1, "update"), "")).rejects.toThrow("not confirmed");
  });
});
