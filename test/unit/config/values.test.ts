import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UsageError } from "../../../src/base/errors.ts";
import { configFolder, stateFolder } from "../../../src/config/location.ts";
import { firstLine } from "../../../src/config/token.ts";
import {
  checkValue,
  type ProfileKey,
  parseProfileKey,
  parseProfileName,
  parseTimeout,
} from "../../../src/config/values.ts";

describe("a profile's values are stored in a canonical form", () => {
  test.each<[ProfileKey, string, string]>([
    ["base-url", "https://forge.example.com/api/v4/", "https://forge.example.com"],
    ["registry-url", "https://registry.example.com/v2", "https://registry.example.com"],
    ["header-prefix", "X-Service", "X-Service"],
    ["project", " group/project ", "group/project"],
    ["output", "ndjson", "ndjson"],
    ["proxy", "http://user:pw@proxy:3128", "http://user:pw@proxy:3128/"],
    ["timeout", "0.5", "0.5"],
    ["timeout", "010", "10"],
    ["retries", "0", "0"],
    ["concurrency", "100", "100"],
    ["token-command", "pass show forge | head -1", "pass show forge | head -1"],
  ])("%s %j", (key, text, kept) => {
    expect(checkValue(key, text, "x")).toBe(kept);
    expect(checkValue(key, kept, "x")).toBe(kept);
  });

  test.each<[ProfileKey, string]>([
    ["header-prefix", "X-"],
    ["header-prefix", "1X"],
    ["header-prefix", "X: y\r\nZ"],
    ["project", "\u0007"],
    ["token-command", "a\nb"],
    ["proxy", "proxy:3128"],
    ["proxy", "http://"],
    ["timeout", "86401"],
    ["timeout", ""],
    ["retries", "101"],
    ["retries", " 1"],
    ["concurrency", "0x10"],
    ["concurrency", "١"],
  ])("%s %j is refused, and the source named", (key, text) => {
    expect(() => checkValue(key, text, "profile work")).toThrow(/^profile work: /);
    expect(() => checkValue(key, text, "profile work")).toThrow(UsageError);
  });
});

test("a timeout is above zero, at most a day, and never NaN", () => {
  fc.assert(
    fc.property(fc.oneof(fc.double().map(String), fc.string()), (text) => {
      try {
        const seconds = parseTimeout(text, "x");
        expect(seconds > 0 && seconds <= 86_400).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError);
      }
    }),
  );
});

describe("unknown keys", () => {
  const hintFor = (text: string): string | undefined => {
    try {
      parseProfileKey(text);
    } catch (error) {
      if (error instanceof UsageError) return error.details.hint;
    }
    return undefined;
  };
  test.each([
    ["baseurl", "base-url"],
    ["base_ulr", "base-url"],
    ["retrys", "retries"],
    ["tiemout", "timeout"],
  ])("%s: did you mean %s", (typed, meant) => {
    expect(hintFor(typed)).toBe(`did you mean ${meant}?`);
  });
  test("one unlike any other: all are listed", () => {
    expect(hintFor("xyzzy-plugh")).toMatch(/^the keys are base-url, .*, protect$/);
  });
  test("a known one is accepted", () => {
    expect(parseProfileKey("ca-file")).toBe("ca-file");
    expect(parseProfileKey("ca_file")).toBe("ca-file");
    expect(parseProfileKey("CA-File")).toBe("ca-file");
  });
});

test.each(["work", "Ärger_1", "a.b-c", "x".repeat(64)])("%s can be a profile's name", (name) => {
  expect(parseProfileName(name, "x")).toBe(name);
});
test.each(["", "-x", ".x", "a b", "a/b", "a@b", "a\n", "x".repeat(65)])("%j cannot", (name) => {
  expect(() => parseProfileName(name, "x")).toThrow(UsageError);
});

test.each([
  ["token\n", "token"],
  ["token\r\nmore", "token"],
  ["token", "token"],
  ["", ""],
  ["\ntoken", ""],
])("first line of %j", (text, line) => {
  expect(firstLine(text)).toBe(line);
});

describe("the folder of the profiles", () => {
  const linux = { home: "/home/me", platform: "linux" };
  test.each([
    [{}, linux, "/home/me/.config/forgectl"],
    [{ XDG_CONFIG_HOME: "/cfg" }, linux, "/cfg/forgectl"],
    [{ XDG_CONFIG_HOME: "" }, linux, "/home/me/.config/forgectl"],
    [{ XDG_CONFIG_HOME: "relative" }, linux, "/home/me/.config/forgectl"],
    [{ XDG_CONFIG_HOME: "/cfg", FORGECTL_CONFIG_DIR: "/own" }, linux, "/own"],
    [{ FORGECTL_CONFIG_DIR: "" }, linux, "/home/me/.config/forgectl"],
    [{}, { home: "/Users/me", platform: "darwin" }, "/Users/me/Library/Application Support/forgectl"],
    [{ APPDATA: "C:\\R" }, { home: "C:\\me", platform: "win32" }, "C:\\R\\forgectl"],
    [{}, { home: "C:\\me", platform: "win32" }, "C:\\me\\AppData\\Roaming\\forgectl"],
  ])("%j on %j: %s", (env, machine, folder) => {
    expect(configFolder(env, machine).path).toBe(folder);
  });

  test.each([
    [{ FORGECTL_CONFIG_DIR: "own" }, linux, configFolder],
    [{ FORGECTL_CONFIG_DIR: "./own" }, { home: "C:\\me", platform: "win32" }, configFolder],
    [{ FORGECTL_STATE_DIR: "state" }, linux, stateFolder],
  ])("%j is refused, since it depends on the current folder", (env, machine, folder) => {
    expect(() => folder(env, machine)).toThrow(/_DIR: "\S+" is not an absolute path$/);
  });
});
