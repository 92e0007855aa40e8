// A fleet below patterns: the plan of 10,000 projects below 50 patterns, what matching them costs, and the size of a
// compact export.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "rolldown";
import { root } from "../ready.mjs";
import { environment, forgectl, measure, median, report } from "./measure.mjs";
import { startServer } from "./server.mjs";

const projects = 10_000;
const patterns = 50;

export async function fleet() {
  const folder = mkdtempSync(join(tmpdir(), "forgectl-bench-"));
  const server = await startServer("fleet-server.mjs", "20", String(projects));
  const small = await startServer("fleet-server.mjs", "0", "1000");
  try {
    console.log(`a plan of ${projects} projects below ${patterns} patterns, 20 ms latency`);
    const [ours, theirs] = [await plan(folder, server), await curl(folder, server)];
    report("time against curl -Z --parallel-max 8", ours.ms / theirs.ms, 1.2);
    report("peak memory", ours.peak, 200, " MiB");
    report("matching, beside the requests", await matching(folder), 100, " ms");
    report("lines of a compact export of 1,000 projects, of the full one", await share(folder, small), 0.2);
  } finally {
    server.stop();
    small.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function at({ url }) {
  return { env: environment({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: "bench-token" }) };
}

/** Every value is as declared, but for one project in twenty. */
function plan(folder, server) {
  const file = join(folder, "rules.yaml");
  const rules = Array.from({ length: patterns }, (_, group) => patternOf(group));
  const lines = rules.map((name) => `  "${name}": { container_registry_access_level: private }\n`);
  writeFileSync(file, `forgectl: 1\nprojects:\n${lines.join("")}`);
  const words = ["state", "plan", "-q", "-f", file, "--concurrency", "8"];
  return measure(process.execPath, [forgectl, ...words], at(server));
}

/** One is for all; of the others some are for a group, and some for some of its projects. */
function patternOf(group) {
  if (group === 0) return "acme/**";
  return group % 2 === 0 ? `acme/g${group}/**` : `acme/g${group}/p*`;
}

/** The same requests: each project, and the pages of the list. */
function curl(folder, { url }) {
  const paths = Array.from({ length: projects }, (_, id) => `/projects/acme%2Fg${id % 50}%2Fp${id}`);
  const pages = Array.from(
    { length: projects / 100 },
    (_, page) => `/groups/acme/projects?per_page=100&page=${page + 1}`,
  );
  const urls = [...pages, ...paths].map((path) => `url = "${url}/api/v4${path}"\noutput = /dev/null`);
  writeFileSync(join(folder, "curl"), urls.join("\n"));
  return measure("curl", ["-sS", "-Z", "--no-progress-meter", "--parallel-max", "8", "-K", join(folder, "curl")]);
}

/** The CPU time that expanding the patterns takes if the instance answers at once, of several rounds the median. */
async function matching(folder) {
  const [input, file] = [join(folder, "expand.ts"), join(folder, "expand.mjs")];
  const names = { "kinds/project": "registryVisibilityKind as kind", "patterns/expand": "expand" };
  const from = Object.entries({ ...names, "patterns/pattern": "readPattern" });
  const lines = from.map(([name, what]) => `export { ${what} } from "${join(root, "src/state", name)}.ts";\n`);
  writeFileSync(input, lines.join(""));
  await build({ input, platform: "node", external: [/^undici/], logLevel: "silent", output: { file, format: "esm" } });
  const { expand, kind, readPattern } = await import(file);
  const sections = Array.from({ length: patterns }, (_, group) => {
    const pattern = readPattern(patternOf(group));
    const origin = { file: "rules.yaml", line: group + 1 };
    const entries = [{ values: { container_registry_access_level: "private" }, origin }];
    const block = { at: "project", pattern, except: [], origin };
    return { scope: { at: "project", name: pattern.text }, kind, entries, origin, block };
  });
  const rows = Array.from({ length: projects }, (_, id) => ({ id, path_with_namespace: `acme/g${id % 50}/p${id}` }));
  const api = {
    call: async () => ({ full_path: "acme" }),
    list: (_, { archived }) => (archived ? [] : rows),
  };
  const context = { api, notice() {}, warn() {} };
  const reader = { places: { of: async ({ name }) => ({ id: 1, path: name }) } };
  const times = [];
  for (let round = 0; round < 7; round++) {
    const before = process.cpuUsage().user;
    const { units } = await expand(context, reader, sections, {});
    times.push((process.cpuUsage().user - before) / 1000);
    if (units.length !== projects) throw new Error(`${units.length} of ${projects} projects are covered`);
  }
  return median(times);
}

async function share(folder, server) {
  const lines = [];
  for (const how of [["--compact"], []]) {
    const file = join(folder, `export-${lines.length}.yaml`);
    const words = ["state", "export", "-q", "-g", "acme", "--recursive", ...how, "-O", file];
    await measure(process.execPath, [forgectl, ...words], at(server));
    lines.push(readFileSync(file, "utf8").split("\n").length);
  }
  return lines[0] / lines[1];
}
