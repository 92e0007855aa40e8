import { describe, expect, test, vi } from "vitest";
import { ClosedPipe } from "../../../src/host.ts";
import { render } from "../../../src/terminal/render/index.ts";
import { optionsFor, shown } from "./recorder.ts";

/** Pages of rows that are requested one by one, and a record of the calls to their source. */
function pages(count: number, size: number) {
  const seen = { given: 0, stopped: false };
  async function* rows() {
    try {
      for (let page = 0; page < count; page += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        for (let row = 0; row < size; row += 1) {
          seen.given += 1;
          yield { id: seen.given };
        }
      }
    } finally {
      seen.stopped = true;
    }
  }
  return { seen, rows: rows() };
}

describe.each(["ndjson", "tsv", "csv"] as const)("%s", (format) => {
  test("writes each page as it arrives, in one write", async () => {
    const { seen, rows } = pages(4, 100);
    const { stdout, options } = optionsFor({ format, header: false });
    const given: number[] = [];
    const noted =
      <T>(write: (chunk: T) => Promise<void>) =>
      (chunk: T) => {
        given.push(seen.given);
        return write(chunk);
      };
    options.stdout = { ...stdout, write: noted(stdout.write), writeData: noted(stdout.writeData) };
    await render({ rows, columns: ["id"] }, options);
    expect(stdout.chunks.map((chunk) => String(chunk).trimEnd().split("\n").length)).toEqual([100, 100, 100, 100]);
    expect(given).toEqual([100, 200, 300, 400]);
  });
});

describe.each(["ndjson", "tsv", "table"] as const)("a closed pipe in %s", (format) => {
  test("is rethrown, nothing more is written, and the source is stopped", async () => {
    const { seen, rows } = pages(100, 200);
    const { options } = optionsFor({ format });
    let writes = 0;
    const write = async () => {
      writes += 1;
      throw new ClosedPipe();
    };
    options.stdout = { ...options.stdout, write, writeData: write };
    await expect(render({ rows, columns: ["id"] }, options)).rejects.toBeInstanceOf(ClosedPipe);
    expect(writes).toBe(1);
    await vi.waitFor(() => expect(seen.stopped).toBe(true));
    expect(seen.given).toBeLessThanOrEqual(601);
  });
});

test("a closed pipe does not wait for a source that may never give another row", async () => {
  let told = false;
  const rows = {
    [Symbol.asyncIterator]() {
      let first = true;
      return {
        next: () => {
          if (!first) return new Promise<never>(() => {});
          first = false;
          return Promise.resolve({ done: false as const, value: { id: 1 } });
        },
        return: () => {
          told = true;
          return new Promise<never>(() => {});
        },
      };
    },
  };
  const { options } = optionsFor({ format: "ndjson" });
  options.stdout = { ...options.stdout, write: () => Promise.reject(new ClosedPipe()) };
  await expect(render({ rows, columns: ["id"] }, options)).rejects.toBeInstanceOf(ClosedPipe);
  expect(told).toBe(true);
});

describe("notices on stderr for a list", () => {
  const rows = [{ id: 1 }];

  test.each([
    [{ shown: 100, total: 2431 }, "shown 100 of 2,431; --limit all for the rest\n"],
    [{ shown: 1000, total: undefined }, "shown 1,000; there are more: --limit all for the rest\n"],
    [{ shown: 20, total: 2431, page: 2, nextPage: 3 }, "shown 20 of 2,431, from page 2 on; --page 3 for the next\n"],
    [{ shown: 50, total: undefined, page: 2 }, "shown 50, from page 2 on; a greater --limit shows more\n"],
  ])("cut short: %j", async (cut, text) => {
    const view = { rows, columns: ["id"], cut: () => cut };
    expect((await shown(view)).stderr).toBe(text);
    expect((await shown(view, { format: "json" })).stderr).toBe(text);
    expect((await shown(view, { quiet: true })).stderr).toBe("");
  });

  test("complete: nothing", async () => {
    expect((await shown({ rows, columns: ["id"], cut: () => undefined })).stderr).toBe("");
  });

  test("empty: a notice, only on a terminal", async () => {
    const view = { rows: [], columns: ["id"] };
    expect(await shown(view, { format: "table", columns: 80, stderrColumns: 80 })).toMatchObject({
      stdout: "",
      stderr: "nothing found\n",
    });
    expect((await shown(view, { format: "table", columns: 80 })).stderr).toBe("");
    expect((await shown(view, { format: "json", stderrColumns: 80 })).stderr).toBe("");
    expect((await shown(view, { format: "table", stderrColumns: 80, quiet: true })).stderr).toBe("");
  });
});

describe("a message", () => {
  test("is a line on stderr with its control characters shown, and silent with --quiet", async () => {
    expect(await shown({ message: "gone: \u001b[1mx" })).toEqual({
      stdout: "",
      stderr: "gone: ␛[1mx\n",
      error: undefined,
    });
    expect((await shown({ message: "gone" }, { quiet: true })).stderr).toBe("");
  });
});

describe("a bare value", () => {
  test.each([
    ["table", "a\nb", "a\nb\n"],
    ["tsv", "a\tb", "a\tb\n"],
    ["csv", "=x", "=x\n"],
    ["tsv", true, "true\n"],
    ["tsv", null, "\n"],
    ["table", { a: 1 }, '{\n  "a": 1\n}\n'],
    ["csv", { a: 1, b: { c: 2 } }, 'a,b\n1,"{""c"":2}"\n'],
    ["ndjson", [{ a: 1 }, { b: 2 }], '{"a":1}\n{"b":2}\n'],
    ["ndjson", [1, { b: 2 }], '[1,{"b":2}]\n'],
    ["json", "a", '"a"\n'],
    ["ndjson", 5, "5\n"],
    ["yaml", "no", "'no'\n"],
  ] as const)("in %s: %j", async (format, value, text) => {
    expect((await shown({ value }, { format })).stdout).toBe(text);
  });

  test("an object is JSON if tsv is only the default in a pipe", async () => {
    expect((await shown({ value: { a: 1 } }, { format: "tsv", explicitFormat: false })).stdout).toBe('{"a":1}\n');
  });

  test("--fields picks from an object and is refused on anything else", async () => {
    expect((await shown({ value: { a: 1, b: 2 } }, { format: "ndjson", fields: ["b"] })).stdout).toBe('{"b":2}\n');
    expect((await shown({ value: [{ a: 1, b: 2 }] }, { format: "ndjson", fields: ["b"] })).stdout).toBe('{"b":2}\n');
    expect((await shown({ value: [{ a: 1 }] }, { fields: ["z"] })).error).toMatchObject({ exit: "usage" });
    expect((await shown({ value: "text" }, { fields: ["a"] })).error).toMatchObject({ exit: "usage" });
  });
});

describe("bytes", () => {
  async function* chunks(...parts: (string | number[])[]) {
    for (const part of parts) yield Buffer.from(part as string);
  }

  test("go to a pipe unchanged", async () => {
    const { stdout, options } = optionsFor({ format: "json" });
    await render({ bytes: chunks([0, 255, 27], "x") }, options);
    expect(Buffer.concat(stdout.chunks as Uint8Array[])).toEqual(Buffer.from([0, 255, 27, 0x78]));
  });

  test("go to a terminal as text with its control characters shown, also where a chunk splits a character", async () => {
    const bytes = chunks("a\u001b[2J\r\n\tb", [0xe6, 0x97], [0xa5], "\u0000");
    expect((await shown({ bytes }, { columns: 80 })).stdout).toBe("a␛[2J\r\n\tb日␀\n");
  });

  test("end their line on a terminal, and only there", async () => {
    expect((await shown({ bytes: chunks("a\n") }, { columns: 80 })).stdout).toBe("a\n");
    expect((await shown({ bytes: chunks("a") }, { columns: 80 })).stdout).toBe("a\n");
    expect((await shown({ bytes: chunks() }, { columns: 80 })).stdout).toBe("");
    expect((await shown({ bytes: chunks("a") })).stdout).toBe("a");
  });

  test.each([
    ["a NUL", [97, 0, 98]],
    ["what is not UTF-8", [0x89, 0x50, 0x4e, 0x47]],
  ])("are refused on a terminal for %s", async (_, first) => {
    const { stdout, error } = await shown({ bytes: chunks([], first) }, { columns: 80 });
    expect(stdout).toBe("");
    expect(error).toMatchObject({ exit: "usage", details: { hint: expect.stringContaining("-O <file>") } });
  });

  test("known not to be text are refused on a terminal, whatever they look like", async () => {
    expect((await shown({ bytes: chunks("text"), text: false }, { columns: 80 })).error).toMatchObject({
      exit: "usage",
    });
    expect((await shown({ bytes: chunks("text"), text: false })).stdout).toBe("text");
  });

  test.each([{ jq: "." }, { fields: ["a"] }])("do not accept %j", async (wanted) => {
    const { stdout, error } = await shown({ bytes: chunks("text") }, wanted);
    expect(stdout).toBe("");
    expect(error).toMatchObject({ exit: "usage", message: expect.stringContaining(`--${Object.keys(wanted)[0]} `) });
  });
});
