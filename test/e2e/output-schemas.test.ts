import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { changes } from "../../src/api/endpoint.ts";
import { groups } from "../../src/commands/index.ts";
import { commandsIn } from "../../src/declare/describe.ts";
import { outputSchema } from "../../src/reference/output-schema.ts";
import { exitCodesOf } from "../../src/reference/result.ts";
import { sampled } from "../support/examples.ts";
import { session } from "../support/session.ts";
import { asTyped, inPlace, isLasting, preparations, type } from "../support/typed-line.ts";

// What a command prints with -o json has the form that `commands --schema` says, on an instance as documented and on
// one as deployed: every example that only reads, and the first of each command that changes something. By default each
// fourth, and as deployed each eighth, chosen by FORGECTL_TEST_SEED; with FORGECTL_TEST_EXAMPLES=all, all.

const ajv = new Ajv({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);
const nodes = await Promise.all(groups.map((entry) => entry.load()));
const all = nodes.flatMap((each) => [...commandsIn(each)]);

/** Results that are texts or bytes, or another program's. */
const isNoJson =
  /^(?:sandbox|completion (?:bash|zsh|fish|powershell)|batch|each|man|guide|skill|auth token|api|settings edit|notes update)\b/;
/** Texts, unless they are saved. */
const isText = /^(?:(?:files|artifacts) cat|(?:settings|state) export|uploads download)\b(?!.* (?:-O|--dir) [^-])/;

const cases = all.flatMap(({ path, command }) => {
  if (isNoJson.test(path.join(" "))) return [];
  const isChange = command.requests.some(changes);
  const validate = ajv.compile(outputSchema(path, command));
  const codes = exitCodesOf(command);
  return command.examples
    .filter(
      ({ line }) => !isLasting(line) && !isText.test(line) && !/--schema | --global-flags| -O -(?: |$)/.test(line),
    )
    .slice(0, isChange ? 1 : undefined)
    .map((example) => ({ example, line: asJson(example.line), validate, codes, command, isChange }));
});

/** The line with all of its result as JSON: no filter, no fields, no redirection, no other format. */
function asJson(line: string): string {
  const plain = line
    .replace(/ (?:\||>).*/, "")
    .replace(/ (?:-o|--output|--fields|--jq|--color) (?:'[^']*'|\S+)/g, "")
    .replace(/ (?:-n|--(?:no-header|dry-run|watch))\b/g, "");
  return `${plain} -o json`;
}

function problemsOf(validate: ValidateFunction, value: unknown): unknown[] {
  return validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => [instancePath, message]);
}

describe.each([false, true])("JSON has the form of its schema; as deployed: %s", (asDeployed) => {
  const tried = asDeployed
    ? sampled(
        cases.filter(({ isChange }) => !isChange),
        8,
      )
    : sampled(cases, 4);
  for (const { example, line, validate, codes, command } of tried) {
    test.concurrent(example.line, async () => {
      const hosting = / identities |^scim/.test(line) ? "hosted" : "self-managed";
      await inPlace({ hosting, asDeployed }, async (place) => {
        const { code, stdout, stderr } = await type([...preparations(example), asTyped(line, place)], place);
        expect(codes).toContain(code);
        if (stdout === "" && (code !== 0 || command.returns === undefined)) return;
        expect(stdout, stderr).not.toBe("");
        expect(problemsOf(validate, JSON.parse(stdout)), stdout.slice(0, 2000)).toEqual([]);
      });
    });
  }
});

test("a schema refuses what is no result of the command", () => {
  const found = all.find(({ path }) => path.join(" ") === "users list");
  const validate = ajv.compile(found === undefined ? {} : outputSchema(found.path, found.command));
  expect(validate([{ id: 1, username: "a", unknown: true }])).toBe(true);
  expect([validate({ id: 1 }), validate([{ id: "1" }]), validate([{ username: 2 }])]).toEqual([false, false, false]);
});

describe("commands", () => {
  const { run } = session();

  test("one command has its fields, exit codes, and whether it takes a job token, in an object with a version", async () => {
    const { stdout } = await run("commands", "registry", "list", "-o", "json");
    const { schema, commands } = JSON.parse(stdout);
    expect(schema).toBe(1);
    expect(commands).toHaveLength(1);
    expect(commands[0]).toMatchObject({ command: "registry list", prints: "rows", job_token: "some" });
    expect(commands[0].fields).toContainEqual(
      expect.objectContaining({ name: "id", type: "id", nullable: false, description: expect.any(String) }),
    );
    expect(commands[0].exit_codes).toEqual(expect.arrayContaining([0, 2, 3, 4, 11, 70, 130]));
  });

  test("words select a group; a word that is none is a usage error with the nearest", async () => {
    const { stdout } = await run("commands", "job-token", "projects", "--no-header", "--fields", "command");
    expect(stdout).toBe("job-token projects list\njob-token projects add\njob-token projects remove\n");
    const wrong = await run("commands", "users", "lst");
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("did you mean users list?")]);
  });

  test("--schema prints the schema of one command, and refuses a group", async () => {
    const { stdout } = await run("commands", "--schema", "users", "list");
    expect(JSON.parse(stdout)).toMatchObject({ type: "array", items: { properties: { id: { type: "integer" } } } });
    expect((await run("commands", "--schema", "users")).code).toBe(2);
  });
});
