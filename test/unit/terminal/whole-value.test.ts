import { load, loadAll } from "js-yaml";
import { describe, expect, test } from "vitest";
import { Failure } from "../../../src/base/errors.ts";
import { ann, bob, person } from "./people.ts";
import { shown } from "./recorder.ts";

const brief = [
  { id: 1, name: "a" },
  { id: 2, name: null },
];
const columns = ["id"];

async function* failing(error: Error) {
  yield* brief;
  throw error;
}

describe("json", () => {
  test("a list is one array of complete rows, indented by two spaces", async () => {
    const { stdout } = await shown({ rows: brief, columns }, { format: "json" });
    expect(stdout).toBe('[\n  {\n    "id": 1,\n    "name": "a"\n  },\n  {\n    "id": 2,\n    "name": null\n  }\n]\n');
  });

  test("an empty list is []", async () => {
    expect((await shown({ rows: [], columns }, { format: "json" })).stdout).toBe("[]\n");
  });

  test("a long list, written in parts, equals the output of JSON.stringify", async () => {
    const rows = Array.from({ length: 1501 }, (_, id) => ({ ...bob, id, name: "line\nbreak" }));
    const { stdout } = await shown({ rows, columns }, { format: "json" });
    expect(stdout).toBe(`${JSON.stringify(rows, null, 2)}\n`);
  });

  test("an incomplete list prints nothing", async () => {
    const error = new Failure("network", "reset");
    const result = await shown({ rows: failing(error), columns }, { format: "json" });
    expect(result).toEqual({ stdout: "", stderr: "", error });
  });

  test("rows marked as valid are printed, and then the error is thrown", async () => {
    for (const error of [new Failure("partial", "1 of 3 failed"), new TypeError("a bug")]) {
      const result = await shown({ rows: failing(error), columns, validIfPartial: true }, { format: "json" });
      expect(JSON.parse(result.stdout)).toEqual(brief);
      expect(result.error).toBe(error);
    }
  });

  test("characters that a terminal might act on are escaped, and read back the same", async () => {
    const record = { name: "\u001b\u009b1m\u202e\u007f" };
    const { stdout } = await shown({ record }, { format: "json" });
    expect(stdout).toBe('{\n  "name": "\\u001b\\u009b1m\\u202e\\u007f"\n}\n');
    expect(JSON.parse(stdout)).toEqual(record);
  });
});

describe("ndjson", () => {
  test("one compact object per line; an empty list is nothing", async () => {
    const { stdout } = await shown({ rows: brief, columns }, { format: "ndjson" });
    expect(stdout).toBe('{"id":1,"name":"a"}\n{"id":2,"name":null}\n');
    expect((await shown({ rows: [], columns }, { format: "ndjson" })).stdout).toBe("");
    expect((await shown({ record: brief[0] ?? {} }, { format: "ndjson" })).stdout).toBe('{"id":1,"name":"a"}\n');
  });

  test.each(["ndjson", "tsv", "csv", "table"] as const)("%s prints the rows before a failure", async (format) => {
    const error = new Failure("network", "reset");
    const result = await shown({ rows: failing(error), columns }, { format, header: false });
    expect(result.stdout.trimEnd().split("\n")).toHaveLength(2);
    expect(result.error).toBe(error);
  });
});

describe("yaml", () => {
  test("a list is a sequence; words and dates stay strings", async () => {
    const rows = [{ id: 1, name: "no", on: true, at: "2026-03-07", list: ["a"] }];
    const { stdout } = await shown({ rows, columns }, { format: "yaml" });
    expect(stdout).toBe("- id: 1\n  name: 'no'\n  'on': true\n  at: '2026-03-07'\n  list:\n    - a\n");
    expect((await shown({ rows: [], columns }, { format: "yaml" })).stdout).toBe("[]\n");
  });

  test("a long list, written in parts between which a signal is heard, is one document", async () => {
    const rows = Array.from({ length: 15_001 }, (_, id) => ({ ...bob, id, name: "line\nbreak" }));
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const { stdout } = await shown({ rows, columns }, { format: "yaml" });
    const filtered = await shown({ rows, columns }, { format: "yaml", jq: ".[]" });
    clearInterval(timer);
    expect(load(stdout)).toEqual(rows);
    expect(loadAll(filtered.stdout)).toEqual(rows);
    expect(turns).toBeGreaterThan(10);
  });

  test("a list of an instance ends at a signal, and the results of a job are all written", async () => {
    const all = Array.from({ length: 5000 }, (_, id) => ({ ...bob, id }));
    async function* batches() {
      yield all;
    }
    const leaving = new AbortController();
    const { signal } = leaving;
    const options = { format: "yaml", signal } as const;
    const begun = shown({ rows: { batches } as never, columns }, options);
    setImmediate(() => leaving.abort(new Failure("interrupted", "interrupted")));
    const ended = await begun;
    expect([ended.error, ended.stdout.length]).toEqual([signal.reason, expect.any(Number)]);
    expect((load(ended.stdout) as unknown[]).length).toBeLessThan(5000);
    const whole = await shown({ rows: all, columns }, options);
    expect([whole.error, load(whole.stdout)]).toEqual([undefined, all]);
  });

  test("the same object twice is written twice", async () => {
    const shared = { a: 1 };
    const { stdout } = await shown({ record: { x: shared, y: shared } }, { format: "yaml" });
    expect(stdout).toBe("x:\n  a: 1\n'y':\n  a: 1\n");
  });
});

describe("--fields", () => {
  const rows = [ann, bob];
  const view = { rows, columns: ["id"], entity: person };

  test("picks in the requested order, JSON keeps the nesting", async () => {
    const { stdout } = await shown(view, { format: "ndjson", fields: ["home.path", "id", "home.id"] });
    expect(stdout).toBe('{"home":{"path":"ann","id":3},"id":7}\n{"home":null,"id":1234}\n');
  });

  test("reaches through arrays and into maps", async () => {
    const fields = ["identities.provider", "custom.team"];
    expect((await shown(view, { format: "tsv", fields, header: false })).stdout).toBe('["saml"]\tblue\n[]\t\n');
    const json = await shown(view, { format: "ndjson", fields });
    expect(json.stdout).toBe(
      '{"identities":[{"provider":"saml"}],"custom":{"team":"blue"}}\n{"identities":[],"custom":{"team":null}}\n',
    );
  });

  test("a field next to one of its parts is complete", async () => {
    for (const fields of [
      ["home.id", "home"],
      ["home", "home.id"],
    ]) {
      const { stdout } = await shown({ record: ann, entity: person }, { format: "ndjson", fields });
      expect(stdout).toBe('{"home":{"id":3,"path":"ann"}}\n');
    }
  });

  const ofPerson = new RegExp(`the fields are ${Object.keys(person.shape).join(", ")}$`);
  const ofHome = /the fields are home\.id, home\.path$/;

  test.each([["nope"], ["home.nope"], ["name.length"], [""], ["home."], ["constructor"], ["__proto__"]])(
    "an unknown one, %j, is a usage error that lists the known ones",
    async (name) => {
      const { stdout, error } = await shown(view, { format: "json", fields: ["id", name] });
      expect(stdout).toBe("");
      expect(error).toMatchObject({
        exit: "usage",
        message: `there is no field "${name}" in person`,
        details: { hint: expect.stringMatching(/^home\./.test(name) ? ofHome : ofPerson) },
      });
    },
  );

  test("without an entity the first row determines the known fields", async () => {
    const bare = { rows: [{ a: { b: 1 }, c: null }], columns: ["extra"] };
    expect((await shown(bare, { fields: ["a.b", "c.x", "extra"], header: false })).stdout).toBe("1\t\t\n");
    const { error } = await shown(bare, { fields: ["a.x"] });
    expect(error).toMatchObject({ exit: "usage", details: { hint: "the fields are a, c, extra" } });
    expect((await shown({ ...bare, rows: [] }, { fields: ["z"] })).error).toBeUndefined();
  });
});

describe("secrets", () => {
  const record = {
    id: 1,
    token: "s3cret",
    identities: [{ provider: "p", token: "s3cret" }],
    deep: [{ sentry_dsn: "s3cret" }],
  };
  const formats = ["table", "json", "ndjson", "yaml", "csv", "tsv"] as const;

  test.each(formats)("are masked in %s, as records, rows, chosen fields, and jq results", async (format) => {
    const view = { entity: person, columns: ["id", "token", "identities", "deep"] };
    const all = await Promise.all([
      shown({ ...view, record }, { format }),
      shown({ ...view, rows: [record] }, { format }),
      shown({ ...view, rows: [record] }, { format, fields: ["token", "identities.token"] }),
      shown({ ...view, record }, { format, jq: ".token, .identities[0].token" }),
      shown({ value: { tracker_dsn: "s3cret" } }, { format }),
    ]);
    for (const { stdout, error } of all) {
      expect(error).toBeUndefined();
      expect(stdout).toContain("[redacted]");
      expect(stdout).not.toContain("s3cret");
    }
  });

  test.each(formats)("are shown in %s with --reveal", async (format) => {
    const view = { entity: person, columns: ["id", "token"], reveal: true };
    expect((await shown({ ...view, record }, { format })).stdout).toContain("s3cret");
    expect((await shown({ ...view, rows: [record] }, { format })).stdout).toContain("s3cret");
  });

  test("a list of secrets is masked as a whole", async () => {
    const entity = { name: "x", shape: { codes: { kind: "array", item: { kind: "string", secret: true } } } };
    const { stdout } = await shown({ record: { codes: ["s3cret"] }, entity }, { format: "ndjson" });
    expect(stdout).toBe('{"codes":"[redacted]"}\n');
  });

  test("the rows themselves are not changed, and an unset secret is visible as unset", async () => {
    const row = { token: "s3cret", other: { my_dsn: "x" } };
    await shown({ rows: [row], columns: [], entity: person }, { format: "json" });
    expect(row).toEqual({ token: "s3cret", other: { my_dsn: "x" } });
    const { stdout } = await shown({ record: { token: null, x_dsn: "" }, entity: person }, { format: "ndjson" });
    expect(stdout).toBe('{"token":null,"x_dsn":""}\n');
  });
});
