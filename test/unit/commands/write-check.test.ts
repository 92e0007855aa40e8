import { expect, test } from "vitest";
import { notApplied } from "../../../src/commands/settings/write-check.ts";

// Forms in which instances show what they have stored.
test.each([
  ["a decimal as a text", { polling_interval_multiplier: 2 }, { polling_interval_multiplier: "2.0" }],
  [
    "a list with the instance's own host",
    { asset_proxy_allowlist: ["a.example"] },
    { asset_proxy_allowlist: ["a.example", "here.example"] },
  ],
  ["a text as a list", { elasticsearch_url: "http://a:9200" }, { elasticsearch_url: ["http://a:9200"] }],
  ["a list as text", { notes_create_limit_allowlist_raw: "Bob,Al" }, { notes_create_limit_allowlist_raw: "al\nbob" }],
])("%s is what was sent", (_, sent, shown) => {
  expect(notApplied(sent, shown)).toEqual({});
});

test.each([
  ["another decimal", { polling_interval_multiplier: 2 }, { polling_interval_multiplier: "2.5" }],
  ["none", { polling_interval_multiplier: 0 }, { polling_interval_multiplier: "" }],
  [
    "a list without what was sent",
    { asset_proxy_allowlist: ["a.example"] },
    { asset_proxy_allowlist: ["here.example"] },
  ],
  ["a list with something else", { domain_allowlist: ["a.example"] }, { domain_allowlist: ["a.example", "b.example"] }],
])("%s is not", (_, sent, shown) => {
  expect(Object.keys(notApplied(sent, shown))).toEqual(Object.keys(sent));
});
