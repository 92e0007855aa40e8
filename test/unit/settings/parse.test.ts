import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findSetting, type Setting } from "../../../src/settings/catalogue.ts";
import { parseAssignment, parseSettingValue, SettingError } from "../../../src/settings/parse.ts";

function known(name: string): Setting {
  const setting = findSetting(name);
  if (setting === undefined) throw new Error(`no setting ${name}`);
  return setting;
}

const parse = (name: string, text: string) => parseSettingValue(known(name), text);

function refusal(act: () => unknown): SettingError {
  try {
    act();
  } catch (error) {
    if (error instanceof SettingError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("name=value", () => {
  test.each([
    ["signup_enabled=false", "signup_enabled", "false"],
    ["home_page_url=https://a.example/?q=1", "home_page_url", "https://a.example/?q=1"],
    ["after_sign_up_text=", "after_sign_up_text", ""],
    ["terms= spaced ", "terms", " spaced "],
    ["terms=@terms.md", "terms", "@terms.md"],
  ])("%s", (assignment, name, text) => {
    expect(parseAssignment(assignment)).toEqual({ name, text });
  });

  test("a name alone is refused under its name", () => {
    expect(refusal(() => parseAssignment("signup_enabled"))).toMatchObject({
      setting: "signup_enabled",
      message: '"signup_enabled" has no value',
      hint: "write it as name=value",
    });
  });

  test("a value alone is refused", () => {
    expect(refusal(() => parseAssignment("=true"))).toMatchObject({
      setting: "",
      message: '"=true" does not name a setting',
    });
  });

  test("any value survives the split", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseAssignment(`terms=${text}`)).toEqual({ name: "terms", text });
      }),
    );
  });
});

describe("booleans", () => {
  test.each([
    ["true", true],
    ["TRUE", true],
    ["1", true],
    ["False", false],
    ["0", false],
    [" true\n", true],
    ["yes", true],
    ["On", true],
    ["no", false],
    ["off", false],
  ])("%j", (text, value) => {
    expect(parse("signup_enabled", text)).toBe(value);
  });

  test.each(["", "2", "truee"])("%j is refused", (text) => {
    expect(refusal(() => parse("signup_enabled", text))).toMatchObject({
      setting: "signup_enabled",
      message: `"${text}" is neither true nor false`,
      hint: "write true or false, yes or no, on or off",
    });
  });
});

describe("integers and numbers", () => {
  test.each(["", "x", "1.5", "1e3", "0x10", "+5", "100,000", "1_000", "--1", "Infinity"])(
    "%j is not an integer",
    (text) => {
      expect(refusal(() => parse("snippet_size_limit", text)).message).toBe(`"${text}" is not an integer`);
    },
  );

  test("an integer that would lose digits is refused", () => {
    expect(refusal(() => parse("snippet_size_limit", "9007199254740993")).message).toBe(
      '"9007199254740993" is too large',
    );
  });

  test("minus zero is zero", () => {
    expect(parse("snippet_size_limit", "-0")).toBe(0);
  });

  test.each(["", "x", ".5", "1.", "1e999", "NaN", "0x10", "1,5"])("%j is not a number", (text) => {
    expect(refusal(() => parse("polling_interval_multiplier", text)).message).toBe(`"${text}" is not a number`);
  });

  test("any written integer or number is read", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(parse("snippet_size_limit", String(value))).toBe(value);
      }),
    );
    fc.assert(
      fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (value) => {
        expect(parse("polling_interval_multiplier", String(value))).toBe(value === 0 ? 0 : value);
      }),
    );
  });
});

describe("strings", () => {
  test("are used unchanged", () => {
    expect(parse("after_sign_up_text", ' "quoted" \n')).toBe(' "quoted" \n');
    expect(parse("terms", "# Terms\n\nBe kind.\n")).toBe("# Terms\n\nBe kind.\n");
  });

  test("null clears any setting, documented as nullable or not", () => {
    expect(parse("email_restrictions", "null")).toBeNull();
    expect(parse("max_login_attempts", "null")).toBeNull();
    expect(parse("after_sign_out_path", "null")).toBeNull();
    expect(parse("terms", "null")).toBeNull();
  });
});

describe("arrays", () => {
  test.each([
    ["", []],
    ["[]", []],
    ["a.example", ["a.example"]],
    ["a.example, b.example", ["a.example", "b.example"]],
    ["a.example\nb.example\n", ["a.example", "b.example"]],
    ["a.example\r\nb.example\r\n", ["a.example", "b.example"]],
    ["a,,b,", ["a", "b"]],
    ['["a,b","c"]', ["a,b", "c"]],
  ])("%j", (text, value) => {
    expect(parse("domain_denylist", text)).toEqual(value);
  });

  test("truncated JSON is refused, and not parsed as a list", () => {
    expect(refusal(() => parse("domain_denylist", '["a","b"')).message).toBe('"["a","b"" is not a JSON array');
  });

  test("a list of integers or objects is parsed as such", () => {
    const ids: Setting = { name: "ids", type: "array", description: "", items: "integer" };
    expect(parseSettingValue(ids, "1, 2")).toEqual([1, 2]);
    expect(refusal(() => parseSettingValue(ids, "1,x")).message).toBe('"x" is not an integer');
    const rules: Setting = { name: "rules", type: "array", description: "", items: "object" };
    expect(parseSettingValue(rules, '[{"a":1}]')).toEqual([{ a: 1 }]);
    expect(refusal(() => parseSettingValue(rules, "a,b")).hint).toBe('write it as in [{"key":"value"}]');
  });

  test("any array written as JSON is read, and plain words between commas", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (value) => {
        expect(parse("domain_denylist", JSON.stringify(value))).toEqual(value);
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z0-9.-]{1,12}$/)), (value) => {
        expect(parse("domain_denylist", value.join(","))).toEqual(value);
      }),
    );
  });
});

describe("objects", () => {
  test("are JSON", () => {
    expect(parse("repository_storages_weighted", '{"default":100}\n')).toEqual({ default: 100 });
  });

  test.each(["", "default=100", "[1]", "{", "7"])("%j is refused", (text) => {
    expect(refusal(() => parse("repository_storages_weighted", text)).message).toBe(`"${text}" is not a JSON object`);
  });

  test("a long value is cut in the message", () => {
    const { message } = refusal(() => parse("repository_storages_weighted", "x".repeat(5000)));
    expect(message).toBe(`"${"x".repeat(37)}..." is not a JSON object`);
  });
});

describe("undocumented settings", () => {
  test.each([
    ["true", true],
    ["null", null],
    ["15", 15],
    ["-1.5", -1.5],
    ['{"a":[1]}', { a: [1] }],
    ['"15"', "15"],
    ["", ""],
    ["plain words", "plain words"],
    ["True", "True"],
  ])("%s", (text, value) => {
    expect(parseSettingValue(undefined, text)).toEqual(value);
  });

  test.each(["1.10", "12345678901234567890", "1e3", "1e999"])(
    "%s stays text, because a number would change it",
    (text) => {
      expect(parseSettingValue(undefined, text)).toBe(text);
    },
  );
});
