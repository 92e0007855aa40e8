import { describe, expect, test } from "vitest";
import { UsageError } from "../../../src/base/errors.ts";
import { checkJq } from "../../../src/terminal/jq.ts";
import { shown } from "./recorder.ts";

const view = {
  rows: [
    { id: 1, name: "a\n" },
    { id: 2, name: "" },
    { id: 3, name: "c" },
  ],
  columns: ["id"],
};

describe("--jq", () => {
  test("strings are bare, one result per line, unless JSON was requested", async () => {
    const jq = ".[] | .name, .id";
    const bare = "a\n\n1\n\n2\nc\n3\n";
    expect((await shown(view, { jq, format: "tsv", explicitFormat: false })).stdout).toBe(bare);
    expect((await shown(view, { jq, format: "json", explicitFormat: false })).stdout).toBe(bare);
    expect((await shown(view, { jq, format: "csv" })).stdout).toBe(bare);
    const encoded = '"a\\n"\n1\n""\n2\n"c"\n3\n';
    expect((await shown(view, { jq, format: "json" })).stdout).toBe(encoded);
    expect((await shown(view, { jq, format: "ndjson" })).stdout).toBe(encoded);
    expect((await shown(view, { jq: ".[0,2]", format: "yaml" })).stdout).toBe(
      "id: 1\nname: |\n  a\n---\nid: 3\nname: c\n",
    );
  });

  test("gets the complete list, a record, and a value; with --fields only those", async () => {
    expect((await shown(view, { jq: "length" })).stdout).toBe("3\n");
    expect((await shown(view, { jq: ".[0]", fields: ["id"] })).stdout).toBe('{"id":1}\n');
    expect((await shown({ record: { a: 1 } }, { jq: ".a" })).stdout).toBe("1\n");
    expect((await shown({ value: "v" }, { jq: "." })).stdout).toBe("v\n");
  });

  test("without results is a success without output", async () => {
    expect(await shown(view, { jq: "empty" })).toEqual({ stdout: "", stderr: "", error: undefined });
  });

  test("keeps the digits of large numbers and accepts a filter that looks like an option", async () => {
    expect((await shown({ record: { n: 1 } }, { jq: "12345678901234567890, .n" })).stdout).toBe(
      "12345678901234567890\n1\n",
    );
    expect((await shown({ value: 1 }, { jq: "-1" })).stdout).toBe("-1\n");
  });

  test("a runtime error is a usage error in jq's words, and prints nothing", async () => {
    const { stdout, error } = await shown(view, { jq: ".[] | .id, .id.x" });
    expect(stdout).toBe("");
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({ details: { reason: 'Cannot index number with string ("x")' } });
  });

  test("debug messages go to stderr", async () => {
    expect(await shown({ value: 1 }, { jq: "debug" })).toMatchObject({ stdout: "1\n", stderr: '["DEBUG:",1]\n' });
  });

  test("a result is not executed by a terminal", async () => {
    const { stdout } = await shown({ record: { a: "\u001b[2J" } }, { jq: ".a", explicitFormat: false, columns: 80 });
    expect(stdout).toBe("␛[2J\n");
  });
});

describe("checkJq", () => {
  test.each([
    [".[", "unexpected end of file"],
    ["nofunction(1)", "nofunction/1 is not defined"],
    ["", "Top-level program not given"],
    ["--help", "help/0 is not defined"],
  ])("refuses %j with jq's message", async (expression, words) => {
    const error = await checkJq(expression).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    const { reason = "" } = (error as UsageError).details;
    expect(reason).toContain(words);
    expect(reason).not.toMatch(/jq: /);
  });

  test.each([".", ".[] | select(.id > 1)", 'error("only when it runs")', "last(repeat(1))"])(
    "takes %j without running it",
    async (expression) => {
      await expect(checkJq(expression)).resolves.toBeUndefined();
    },
  );
});
