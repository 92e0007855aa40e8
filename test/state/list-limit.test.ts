import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fleetSession } from "../support/fleet-server.ts";

// An instance accepts 200 entries in an allowlist: a plan says before anything is sent that a list would have more.

const ids = (count: number, first: number) => Array.from({ length: count }, (_, at) => first + at);

async function planned(
  command: string,
  { live, declared, flags = [] }: Record<"live" | "declared", number[]> & { flags?: string[] },
) {
  const fleet = await fleetSession({ projects: { "acme/web": { id: 7, allowlist: live } }, groups: [] });
  const file = join(fleet.home, "state.yaml");
  writeFileSync(
    file,
    `forgectl: 1\nprojects: { acme/web: { job_token_scope: { allowlist: [${declared.join(", ")}] } } }\n`,
  );
  const { stderr } = await fleet.run(...command.split(" "), "-f", file, ...flags);
  return stderr.split("\n").filter((line) => line.includes("entries"));
}

const warning =
  "acme/web#allowlist would have 201 entries, and an instance accepts 200: forgectl job-token compact -p acme/web";

test.each(["state plan", "state apply --yes --dry-run", "job-token plan -p acme/web"])("%s", async (command) => {
  const more = await planned(command, { live: ids(199, 1000), declared: [5001, 5002] });
  expect(more).toEqual([expect.stringContaining(warning)]);
});

test("200 are accepted, removals make room, and a list that only shrinks is no cause for a warning", async () => {
  expect(await planned("state plan", { live: ids(199, 1000), declared: [5001] })).toEqual([]);
  const pruned = { live: ids(199, 1000), declared: [...ids(198, 1000), 5001, 5002], flags: ["--prune"] };
  expect(await planned("state plan", pruned)).toEqual([]);
  const shrinking = { live: ids(205, 1000), declared: ids(203, 1000), flags: ["--prune"] };
  expect(await planned("state plan", shrinking)).toEqual([]);
});
