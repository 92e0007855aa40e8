// An export of 20 relations of 50 MiB each into a folder, against `curl -Z` fetching the same files unchecked: over a
// network of 1 Gbit/s, and over loopback, where unpacking and checking take the time.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environment, forgectl, measure, median, report } from "./measure.mjs";
import { startServer } from "./server.mjs";

const rounds = 3;
const count = 20;
const size = 50 * 1024 ** 2;
const gigabit = 125_000_000;
const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

export async function pull() {
  await compare("20 relations of 50 MiB at 1 Gbit/s", gigabit, 1.3);
  await compare("20 relations of 50 MiB over loopback", 0);
}

async function compare(what, rate, goal) {
  const server = await startServer("relations-server.mjs", String(count), String(size), String(rate));
  const env = environment({ FORGECTL_BASE_URL: server.url, FORGECTL_TOKEN: "bench-token" });
  const folder = mkdtempSync(join(memory, "forgectl-bench-"));
  const target = join(folder, "export");
  const path = `${server.url}/api/v4/projects/1/export_relations/download?relation=relation_[1-${count}]`;
  const programs = {
    curl: () =>
      measure("curl", [
        "-sS",
        "-Z",
        "--no-progress-meter",
        "--parallel-max",
        "10",
        "--create-dirs",
        "-o",
        `${target}/#1`,
        path,
      ]),
    ours: () =>
      measure(process.execPath, [forgectl, "relations", "pull", target, "-p", "1", "--latest", "-q"], { env }),
  };
  const times = { ours: [], curl: [] };
  const peaks = [];
  try {
    for (let round = 0; round < rounds; round++) {
      for (const name of ["curl", "ours"]) {
        rmSync(target, { recursive: true, force: true });
        const { ms, peak } = await programs[name]();
        times[name].push(ms);
        if (name === "ours") peaks.push(peak);
      }
    }
  } finally {
    server.stop();
    rmSync(folder, { recursive: true });
  }
  console.log(`${what}: ${median(times.ours).toFixed(0)} ms, curl -Z ${median(times.curl).toFixed(0)} ms`);
  report(`${what}, time`, median(times.ours) / median(times.curl), goal);
  report(`${what}, peak memory`, Math.max(...peaks), 256, " MiB");
}
