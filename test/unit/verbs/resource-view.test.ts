import { describe, expect, test } from "vitest";
import type { Listing } from "../../../src/api/api.ts";
import { entity, id, string } from "../../../src/api/field.ts";
import { Failure } from "../../../src/base/errors.ts";
import { type ResourceView, readRows, recordOf, storedAs } from "../../../src/verbs/resource-view.ts";
import { collected, firstOf, mapWithProgress } from "../../../src/verbs/row-collection.ts";
import { contextFor } from "../../support/context.ts";

const thing = entity("Thing", { id: id(), name: string() });
const passage = () => ({ heading: ["a thing"] });
const shown: ResourceView<typeof thing.shape> = {
  entity: thing,
  columns: ["name"],
  read: (row) => ({ ...row, read: true }),
  passage,
  view: (record, { loud }) => ({ message: `${Object.keys(record)} ${loud}` }),
};

describe("one of a resource", () => {
  test("is shown with what is declared of it", () => {
    expect(recordOf(shown, { id: 1 }, { loud: "yes" })).toEqual({
      record: { id: 1, read: true },
      entity: thing,
      columns: ["name"],
      passage,
      message: "id,read yes",
    });
  });

  test("is otherwise shown as it is, with all of its fields", () => {
    expect(recordOf({ entity: thing }, { id: 1 })).toStrictEqual({ record: { id: 1 }, entity: thing });
  });
});

describe("an object that was stored otherwise", () => {
  const caught = (of: ResourceView<typeof thing.shape> | undefined, error: unknown) => {
    try {
      return storedAs(of, { loud: 1 })(error);
    } catch (thrown) {
      return thrown as Failure;
    }
  };

  test("is shown like any other", () => {
    const error = caught(shown, new Failure("partial", "stored otherwise", { stored: { id: 1 }, code: "altered" }));
    expect(error).toMatchObject({ exit: "partial", message: "stored otherwise", details: { code: "altered" } });
    expect(error.details.stored).toEqual({ id: 1, read: true });
    expect(error.details.shownAs).toEqual({ entity: thing, columns: ["name"], passage, message: "id,read 1" });
  });

  test.each([
    ["another failure", shown, new Failure("refused", "no")],
    ["a bug", shown, new TypeError("x")],
    ["a resource without a declared view", undefined, new Failure("partial", "no", { stored: {} })],
  ])("is not meant by %s", (_, of, error) => expect(caught(of, error)).toBe(error));
});

describe("a list", () => {
  async function* pages() {
    yield [{ id: 1 }, { id: 2 }];
    yield [{ id: 3 }];
  }
  const cut = { shown: 3, total: 9 };
  const rows = { batches: pages, cut: () => cut } as unknown as Listing<{ id: number }>;

  test("has its rows converted page by page, and says where it was cut", async () => {
    const converted = readRows(rows, (row) => ({ of: (row as { id: number }).id }));
    expect(await collected(converted.batches())).toEqual([[{ of: 1 }, { of: 2 }], [{ of: 3 }]]);
    expect(converted.cut?.()).toBe(cut);
  });

  test("without a conversion is the same list", () => expect(readRows(rows, undefined)).toBe(rows));
});

describe("rows", () => {
  test("are collected in order; of the first one, no more is read", async () => {
    let read = 0;
    async function* numbers() {
      for (read = 1; read < 4; read++) yield read;
    }
    expect(await collected(numbers())).toEqual([1, 2, 3]);
    expect([await firstOf(numbers()), read]).toEqual([1, 1]);
    const none: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: 0 }) }),
    };
    expect(await firstOf(none)).toBeUndefined();
  });

  test("that are read concurrently are in order, and their progress is shown until the end", async () => {
    const context = contextFor("http://127.0.0.1:1");
    const said: unknown[] = [];
    const task = { update: (done: number) => said.push(done), stop: () => said.push("stop") };
    const start = (label: string, how: object) => {
      said.push(label, how);
      return task;
    };
    Object.assign(context, { progress: { start } });
    const late = new Promise((resolve) => setImmediate(resolve));
    const read = async (item: number) => (item === 1 ? late.then(() => -item) : -item);
    expect(await mapWithProgress(context, "reading tags", [1, 2, 3], read)).toEqual([-1, -2, -3]);
    expect(said).toEqual(["reading tags", { total: 3, unit: "items" }, 1, 2, 3, "stop"]);
    const failing = mapWithProgress(context, "reading", [1], () => Promise.reject(new Failure("refused", "no")));
    await expect(failing).rejects.toMatchObject({ message: "no" });
    expect(said.at(-1)).toBe("stop");
  });
});
