// Start-up of the single executable, as ratios to `node -e 0` of the Node inside it.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { executable } from "../package/executable.mjs";
import { isFetched, nodeOf, ownTarget } from "../package/fetched.mjs";
import { root } from "../ready.mjs";
import { environment, measure, median, report, sum } from "./measure.mjs";
import { startServer } from "./server.mjs";

const rounds = 21;

export async function packaged() {
  if (!isFetched(ownTarget))
    return console.log("package: Node for the executables is missing; npm run package fetches it");
  mkdirSync(join(root, "build"), { recursive: true });
  const work = mkdtempSync(join(root, "build", "bench-"));
  const server = await startServer("list-server.mjs", "100", "0");
  try {
    const program = await executable(ownTarget, work);
    const node = await nodeOf(ownTarget);
    // A home that does not exist: every start is the first.
    const env = environment({ HOME: "/nonexistent", FORGECTL_BASE_URL: server.url, FORGECTL_TOKEN: "bench-token" });
    const cases = [
      ["the executable: --version", ["--version"], 1.2],
      ["the executable: --help", ["--help"], 1.4],
      ["the executable: users list -o json, the first start", ["users", "list", "-o", "json", "-q"], 2.6],
    ];
    const bare = [];
    const taken = cases.map(() => []);
    for (let round = 0; round < rounds; round++) {
      bare.push(await measure(node, ["-e", "0"], { env }));
      for (const [index, [, args]] of cases.entries()) taken[index].push(await measure(program, args, { env }));
    }
    const wall = (runs) => median(runs.map(({ ms }) => ms));
    const cpu = (runs) => sum(runs.map((each) => each.cpu));
    console.log(`packages; bare node ${wall(bare).toFixed(0)} ms`);
    for (const [index, [name, , goal]] of cases.entries()) {
      report(name, wall(taken[index]) / wall(bare), goal);
      report("      in CPU time", cpu(taken[index]) / cpu(bare));
    }
  } finally {
    server.stop();
    rmSync(work, { recursive: true, force: true });
  }
}
