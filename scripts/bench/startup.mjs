// Start-up, as ratios to `node -e 0` of the same Node.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../ready.mjs";
import { environment, forgectl, measure, median, report, sum } from "./measure.mjs";
import { startServer } from "./server.mjs";

const rounds = 21;
/** A completion that seems instant to the user: the shell waits for it. */
const tabGoalMs = 80;

export async function startup() {
  const server = await startServer("list-server.mjs", "100", "0");
  const env = environment({ FORGECTL_BASE_URL: server.url, FORGECTL_TOKEN: "bench-token" });
  const major = Number(process.versions.node.split(".")[0]);
  const cold = { ...env, NODE_DISABLE_COMPILE_CACHE: "1" };
  const packed = npmPackage();
  const list = ["users", "list", "-o", "json", "-q"];
  const started = major >= 24 ? 2.4 : 2.8;
  const slowest = await slowestHelp(env);
  const cases = [
    ["--version", ["--version"], 1.2],
    ["--help", ["--help"], 1.4],
    [`the slowest --help of all: ${slowest.join(" ")}`, [...slowest, "--help"], 1.4],
    ["users list -o json, one request to loopback", list, started],
    ["the same from the npm package", list, started, { program: packed }],
    ["the same, first start of all, as in a CI job", list, 2.8, { program: packed, env: cold }],
  ];
  const tabs = [
    ["TAB on a flag of a command", ["__complete", "--", "registry", "tags", "prune", "--v"]],
    ["TAB in a list of fields", ["__complete", "--", "users", "list", "--fields", "id,na"]],
    ["TAB on a setting", ["__complete", "--", "settings", "set", "sign"]],
  ];
  const all = [...cases, ...tabs];
  try {
    const bare = [];
    const taken = all.map(() => []);
    // Interleaved, so that other load affects all cases equally.
    for (let round = 0; round < rounds; round++) {
      bare.push(await measure(process.execPath, ["-e", "0"], { env }));
      for (const [index, [, args, , { program = forgectl, env: own = env } = {}]] of all.entries()) {
        taken[index].push(await measure(process.execPath, [program, ...args], { env: own }));
      }
    }
    const wall = (runs) => median(runs.map(({ ms }) => ms));
    const cpu = (runs) => sum(runs.map((run) => run.cpu));
    console.log(`start-up on Node ${process.versions.node}; bare node ${wall(bare).toFixed(0)} ms`);
    for (const [index, [name, , goal]] of cases.entries()) {
      report(name, wall(taken[index]) / wall(bare), goal);
      report("      in CPU time", cpu(taken[index]) / cpu(bare));
    }
    for (const [index, [name]] of tabs.entries()) {
      report(`${name}, beyond bare node`, wall(taken[cases.length + index]) - wall(bare), tabGoalMs, " ms");
    }
  } finally {
    server.stop();
    rmSync(join(packed, "../.."), { recursive: true, force: true });
  }
}

/** The program as npm installs it, without the code that the build compiled for this Node; returns its bin. */
function npmPackage() {
  const folder = mkdtempSync(join(tmpdir(), "forgectl-bench-"));
  for (const part of ["bin", "dist", "package.json"]) {
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  rmSync(join(folder, "dist", "compiled"), { recursive: true });
  return join(folder, "bin", "forgectl.js");
}

/** The command with the slowest help: the best of three runs each. */
async function slowestHelp(env) {
  const best = [];
  for (const path of everyCommand()) {
    const times = [];
    for (let round = 0; round < 3; round++) {
      times.push((await measure(process.execPath, [forgectl, ...path, "--help"], { env })).ms);
    }
    best.push({ path, ms: Math.min(...times) });
  }
  return best.sort((a, b) => b.ms - a.ms)[0].path;
}

/** All commands and groups, from the help pages of the build. */
function everyCommand() {
  const folder = join(root, "dist", "help");
  return readdirSync(folder).flatMap((file) => {
    const name = /^help-(.+)\.json$/.exec(file)?.[1];
    if (name === undefined) return [];
    const pages = JSON.parse(readFileSync(join(folder, file), "utf8"));
    return pages.map(([words]) => [name, ...words.split(" ").filter(Boolean)]);
  });
}
