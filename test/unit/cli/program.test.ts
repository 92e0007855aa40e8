import { expect, test } from "vitest";
import { UsageError } from "../../../src/base/errors.ts";
import { loadGroup } from "../../../src/cli/load.ts";
import { parse } from "../../../src/cli/program.ts";

// A batch parses thousands of lines with one parser: no line may affect the next.

const users = await loadGroup("users");

function understood(line: string) {
  const invocation = parse(users, line.split(" "));
  if (invocation.kind !== "run") throw new Error(`${line} runs no command`);
  const { input, globals, path, missing } = invocation;
  return { input, globals, path, missing };
}

test("flags and arguments of a line are not those of the next", () => {
  const plain = understood("users list");
  expect(understood("-q users list --search dana --no-header -L 5").globals).toMatchObject({
    quiet: true,
    header: true,
  });
  expect(understood("users list")).toEqual(plain);
});

test("a line that is refused, or asks for help, leaves nothing to the next", () => {
  const plain = understood("users get dana.dixon");
  for (const line of [
    "users get --yes",
    "users get a b --yes",
    "users get a --nope --yes",
    "users lst --yes",
    "--yes users",
  ]) {
    try {
      parse(users, line.split(" "));
    } catch (error) {
      expect(error, line).toBeInstanceOf(UsageError);
    }
  }
  expect(parse(users, ["users", "get", "--yes", "--help"]).kind).toBe("help");
  expect(parse(users, ["users", "--yes", "--version"]).kind).toBe("version");
  expect(understood("users get dana.dixon")).toEqual(plain);
});

test("a missing argument is prompted for if the caller prompts, whatever the previous line was", () => {
  expect(() => understood("users get")).toThrow("missing <id|username>");
  const asked = parse(users, ["users", "get"], true);
  expect(asked).toMatchObject({ kind: "run", missing: ["user_id"] });
  expect(() => understood("users get")).toThrow("missing <id|username>");
});

test("what is relative to now is kept as it was typed", async () => {
  const hooks = await loadGroup("hooks");
  const relativeOf = (time: string) => {
    const invocation = parse(hooks, ["hooks", "redeliver", "2", "-g", "acme", "--since", time]);
    return invocation.kind === "run" ? invocation.relative : undefined;
  };
  for (const time of ["2d", "2 weeks ago", "yesterday", "today"]) expect(relativeOf(time)).toEqual({ since: time });
  for (const time of ["2026-11-01", "2026-11-01T08:00:00Z", "2026-11-01 08:00"]) expect(relativeOf(time)).toEqual({});
});
