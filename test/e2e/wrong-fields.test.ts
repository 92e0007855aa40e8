import { describe, expect, test } from "vitest";
import { type Altered, alteringSession, type Exchange } from "../support/altering-proxy.ts";
import { attack } from "../support/attack.ts";
import { chanceOf, oneOf } from "../support/chance.ts";
import { exampleLines, late, sampled, typist, unattended } from "../support/examples.ts";

// For every command: each field of each answer is null, missing, of another type, or an odd object, in every format. No
// answer of a server is a bug of the program (exit 70). By default one field for every other command, chosen by
// FORGECTL_TEST_SEED; with FORGECTL_TEST_FIELDS=all each field of every example.

const all = process.env.FORGECTL_TEST_FIELDS === "all";
const seed = Number(process.env.FORGECTL_TEST_SEED ?? 1);
const kinds = ["null", "missing", "another type", "an odd object"] as const;
/** It has no text: `String` and templates throw. */
const odd = { toString: 1, valueOf: 1, toJSON: 1 };
const formats = ["json", "table", "csv", "yaml", "ndjson", "tsv"];

/** A field of an answer: the request, and the keys to it; of a list, of its first row. */
type Place = readonly [request: string, ...keys: string[]];

const requestOf = ({ method, path }: Exchange) => `${method} ${path.replace(/\?.*/, "")}`;

function placesIn(request: string, value: unknown, above: string[] = []): Place[] {
  if (Array.isArray(value)) return value.length === 0 ? [] : placesIn(request, value[0], [...above, "0"]);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => {
    const keys = [...above, key];
    return [[request, ...keys] as const, ...placesIn(request, each, keys)];
  });
}

function changed(body: unknown, [, ...keys]: Place, kind: (typeof kinds)[number]): unknown {
  const copy: unknown = structuredClone(body);
  const last = keys.pop() as string;
  let holder = copy as Record<string, unknown> | undefined;
  for (const key of keys) holder = holder?.[key] as Record<string, unknown> | undefined;
  if (typeof holder !== "object" || holder === null || !(last in holder)) return body;
  if (kind === "missing") delete holder[last];
  else if (kind === "an odd object") holder[last] = odd;
  else holder[last] = kind === "null" ? null : typeof holder[last] === "string" ? { of: ["another"] } : "text";
  return copy;
}

let alter: (exchange: Exchange) => Altered = () => undefined;
const user = await alteringSession((exchange) => alter(exchange));
const type = await typist(user);
const lines = all ? await exampleLines() : sampled(await exampleLines(1), 2);
const attacked = attack(lines.length);
let tried = 0;

describe("a field of an answer that is not as documented", () => {
  test.each(lines.map((line, index) => [line, index] as const))("%s", { timeout: 900_000 }, async (line, index) => {
    const places = new Map<string, Place>();
    const isAnswer = ({ body, status }: Exchange) => typeof body === "object" && body !== null && status < 300;
    alter = (exchange) => {
      if (!isAnswer(exchange)) return undefined;
      for (const place of placesIn(requestOf(exchange), exchange.body)) places.set(place.join(" "), place);
      return undefined;
    };
    await type(unattended(line), { FORGECTL_OUTPUT: "json" });
    const random = chanceOf(seed + index);
    const found = [...places.values()];
    const chosen = all || found.length === 0 ? found : [oneOf(found, random)];
    const cells = chosen.flatMap((place) =>
      (all ? kinds : [oneOf(kinds, random)]).map((kind) => [place, kind] as const),
    );
    for (const [place, kind] of attacked.cells(cells)) {
      alter = (exchange) =>
        isAnswer(exchange) && requestOf(exchange) === place[0]
          ? { body: changed(exchange.body, place, kind) }
          : undefined;
      const output = formats[(index + tried++) % formats.length] ?? "json";
      const { code, stderr } = await type(unattended(line), { FORGECTL_OUTPUT: output });
      const what = `${place.join(" ")} is ${kind}, as ${output}, seed ${seed}`;
      expect([what, code === 70, stderr === late, stderr]).toEqual([
        what,
        false,
        false,
        expect.not.stringMatching(bug),
      ]);
    }
  });
});

const bug = /this is a bug in forgectl/;

test("fields of many commands were changed", () => expect(tried).toBeGreaterThan(30));
