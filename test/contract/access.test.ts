import { describe, expect, test } from "vitest";
import { endpointsOf, linesOf } from "./documents.ts";

// Who may call the client's endpoints, where they exist, and which have pages, is compared with a list written from the
// documents alone (access.tsv). The client may say more than they do.

type Line = [method: string, path: string, ...stated: string[]];

const stated = ["role", "tier", "hosting", "since", "scopes", "jobToken", "page"] as const;
const lines = linesOf("access.tsv").flatMap(([method = "", path = "", ...values]) =>
  stated.flatMap((name, index): Line[] => (values[index] === "-" ? [] : [[method, path, name, values[index] ?? ""]])),
);

describe("as the documents say", () => {
  test.each(lines)("%s %s: %s %s", (method, path, name, value) => {
    const same = endpointsOf(method, path).filter(({ beyond }) => !beyond);
    const said = same.map(({ access, page }) => ({ ...access, page })[name as (typeof stated)[number]]);
    const words = said.map((each) => {
      if (name === "page") return each === undefined ? "no" : "yes";
      return Array.isArray(each) ? each.toSorted().join(" ") : each === true ? "yes" : each;
    });
    expect(words).toEqual([name === "scopes" ? value.split(" ").toSorted().join(" ") : value]);
  });
});

describe("a parameter has the words of the documents", () => {
  test.each(linesOf("words.tsv") as Line[])("%s %s: %s is one of %s", (method, path, name, words) => {
    const fields = endpointsOf(method, path).flatMap(({ params }) =>
      Object.entries(params).flatMap(([key, field]) => ((field.wire ?? key) === name ? [field] : [])),
    );
    const known = fields.map(({ values, suggests = [] }) => [...(values ?? suggests)]);
    expect(known.map((each) => each.toSorted())).toEqual([words?.split(" ").toSorted()]);
  });
});
