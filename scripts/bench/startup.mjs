// Start-up, as ratios to a bare `node -e 0` of the same Node.

import { environment, forgectl, measure, median, report } from "./measure.mjs";
import { startServer } from "./server.mjs";

const rounds = 21;
/** What a person who types takes for at once: a shell waits for the answer. */
const tabGoalMs = 80;

export async function startup() {
  const server = await startServer("list-server.mjs", "100", "0");
  const env = environment({ FORGECTL_BASE_URL: server.url, FORGECTL_TOKEN: "bench-token" });
  const major = Number(process.versions.node.split(".")[0]);
  const cold = { ...env, NODE_DISABLE_COMPILE_CACHE: "1" };
  const cases = [
    ["--version", ["--version"], 1.2],
    ["--help", ["--help"], 1.4],
    ["a group's --help", ["users", "--help"], 1.6],
    ["users list -o json, one request to loopback", ["users", "list", "-o", "json", "-q"], major >= 24 ? 2.4 : 2.8],
    ["the same with no compiled code kept, as in a CI job", ["users", "list", "-o", "json", "-q"], undefined, cold],
  ];
  const tabs = [
    ["TAB on a flag of a command", ["__complete", "--", "registry", "tags", "prune", "--v"]],
    ["TAB in a list of fields", ["__complete", "--", "users", "list", "--fields", "id,na"]],
    ["TAB on a setting", ["__complete", "--", "settings", "set", "sign"]],
  ];
  const all = [...cases, ...tabs];
  try {
    const bare = [];
    const times = all.map(() => []);
    // Interleaved, so that what else the machine does falls on all alike.
    for (let round = 0; round < rounds; round++) {
      bare.push((await measure(process.execPath, ["-e", "0"], { env })).ms);
      for (const [index, [, args, , own = env]] of all.entries()) {
        times[index].push((await measure(process.execPath, [forgectl, ...args], { env: own })).ms);
      }
    }
    console.log(`start-up on Node ${process.versions.node}; bare node ${median(bare).toFixed(0)} ms`);
    for (const [index, [name, , goal]] of cases.entries()) report(name, median(times[index]) / median(bare), goal);
    for (const [index, [name]] of tabs.entries()) {
      report(`${name}, beyond bare node`, median(times[cases.length + index]) - median(bare), tabGoalMs, " ms");
    }
  } finally {
    server.stop();
  }
}
