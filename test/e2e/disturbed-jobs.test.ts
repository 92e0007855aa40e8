import { describe, test } from "vitest";
import { expectToSurviveFaults, expectToSurviveKills, type Job } from "../support/disturbed.ts";

// Every job that takes long, killed at any moment and run again, and with a request that fails in the middle. Seeded:
// FORGECTL_KILLS=100 kills more often, FORGECTL_FUZZ_SEED at other times.

const projects = ["storefront", "docs", "website", "mobile/android-app", "mobile/ios-app", "platform/billing"];
const tags = ["v1", "v1.1.0", "v1.2.0", "v1.3.0", "v1.4.0", "v1.5.0", "v1.6.0", "v1.7.0", "v1.8.0", "v1.9.0"];
const uploads = Array.from({ length: 12 }, (_, index) => `file-${index}.txt`);
const people = ["olivia.ortega@acme.example", "mateo.marín@acme.example", "dana.dixon@acme.example"] as const;
const [olivia, mateo, dana] = people;
/** A cycle, a chain, and some independent changes. */
const map = `${olivia},${mateo}\n${mateo},${dana}\n${dana},${olivia}\nробин рейес/1,ou=Product/Priya Patel\nou=Product/Priya Patel,p/p\n`;

const jobs: readonly Job[] = [
  {
    name: "each",
    files: { "projects.txt": projects.map((name) => `acme/${name}\n`).join("") },
    line: "each --projects-file projects.txt --journal run.journal --yes -q --concurrency 2 -- errors settings set --active true --integrated true",
    check: ["each --projects-file projects.txt -- errors settings get"],
  },
  {
    name: "batch",
    files: {
      "deletes.ndjson": tags
        .map((tag) => `${JSON.stringify({ args: ["registry", "tags", "delete", "12", tag, "-p", "7", "--yes"] })}\n`)
        .join(""),
    },
    line: "batch deletes.ndjson --journal run.journal --yes -q --concurrency 2",
    check: ["registry tags list 12 -p 7 -L all --fields name"],
  },
  {
    name: "registry prune",
    line: "registry prune -p 7 --delete-regex 'v1.*' --via tags --journal run.journal --yes -q",
    check: ["registry tags list 12 -p 7 -L all --fields name", "registry tags list 13 -p 7 -L all --fields name"],
  },
  {
    name: "uploads prune",
    // Objects created now count as old for the program.
    options: { now: () => new Date(Date.now() - 2 * 86_400_000) },
    files: Object.fromEntries(uploads.map((name) => [name, name])),
    before: [`uploads create ${uploads.join(" ")} -p acme/docs`],
    line: "uploads prune -p acme/docs --older-than 1d --match 'file-*' --yes -q --concurrency 2",
    check: ["uploads list -p acme/docs -L all --fields filename"],
  },
  {
    // The one for SCIM is the same.
    name: "saml identities remap",
    options: { hosting: "hosted" },
    files: { "map.csv": map },
    line: "saml identities remap -g acme --map map.csv --journal run.journal --yes -q --concurrency 2",
    check: ["saml identities list -g acme -L all"],
  },
];

describe.each(jobs)("$name", (job) => {
  test("killed at any moment and run again, it ends as if undisturbed", { timeout: 300_000 }, () =>
    expectToSurviveKills(job),
  );

  test("whichever request fails, it ends as if none had", { timeout: 300_000 }, () => expectToSurviveFaults(job));
});
