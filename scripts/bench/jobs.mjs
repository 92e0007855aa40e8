// Jobs with many requests against curl sending the same, eight at a time: a batch of reads and a prune preview; and how
// much of a 1 GiB archive a list of artifacts reads. Requests without latency are measured in CPU time.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environment, forgectl, measure, median, report } from "./measure.mjs";
import { startServer } from "./server.mjs";

const rounds = 3;
/** Milliseconds: a nearby instance. Without latency, this would compare JavaScript with C. */
const latency = "10";
const atOnce = "8";
const firstId = 10_000_000;
const repositories = 200;
const tagsEach = 100;

export async function jobs() {
  const folder = mkdtempSync(join(tmpdir(), "forgectl-bench-"));
  const server = await startServer("jobs-server.mjs", latency);
  const near = await startServer("jobs-server.mjs", "0");
  try {
    await batches(folder, server, near);
    await prune(folder, server);
    await artifacts(server);
    await slowItems(near);
  } finally {
    server.stop();
    near.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function ours(server, ...words) {
  const env = environment({ FORGECTL_BASE_URL: server.url, FORGECTL_TOKEN: "bench-token" });
  return measure(process.execPath, [forgectl, ...words, "-q", "--concurrency", atOnce], { env });
}

/** Fetches the paths from a config file, which is faster than a URL pattern. */
function curlOf(folder, name, server, paths) {
  const config = join(folder, name);
  writeFileSync(config, paths.map((path) => `url = "${server.url}/api/v4${path}"\noutput = /dev/null`).join("\n"));
  return () => measure("curl", ["-sS", "-Z", "--no-progress-meter", "--parallel-max", atOnce, "-K", config]);
}

async function batches(folder, server, near) {
  const [short, long, longer, longest] = [1000, 10_000, 20_000, 50_000].map((count) => {
    const file = join(folder, `batch-${count}`);
    const lines = Array.from({ length: count }, (_, at) =>
      JSON.stringify({ args: ["users", "get", `${firstId + at}`] }),
    );
    writeFileSync(file, lines.join("\n"));
    return (from = server) => ours(from, "batch", file, "-o", "ndjson");
  });
  const paths = Array.from({ length: 10_000 }, (_, at) => `/users/${firstId + at}`);
  await compare("batch of 10,000 reads", long, curlOf(folder, "users", server, paths), 1.5, [
    ["peak memory at 1,000", (await short()).peak],
  ]);
  report("CPU time per line, no latency", (await long(near)).cpu / 10_000, undefined, " ms");
  const { peak } = await longest(near);
  report("peak memory at 50,000", peak, 120, " MiB");
  // Both after V8 has optimized and its young generation has grown, which takes some 20 MiB from 1,000 lines on.
  report("peak memory at 50,000 against 20,000", peak / (await longer(near)).peak, 1.1);
}

async function prune(folder, server) {
  const list = "/projects/7/registry/repositories";
  const each = Array.from({ length: repositories }, (_, at) => {
    const tags = `${list}/${at + 1}/tags`;
    return [`${tags}?per_page=100`, ...Array.from({ length: tagsEach }, (_, tag) => `${tags}/v${tag}`)];
  });
  const paths = [`${list}?per_page=100&page=1`, `${list}?per_page=100&page=2`, ...each.flat()];
  const words = ["registry", "prune", "-p", "7", "--delete-regex", ".*", "--keep-n", "10", "--dry-run", "-o", "ndjson"];
  const what = `preview of a prune, ${repositories} repositories of ${tagsEach} tags`;
  await compare(what, () => ours(server, ...words), curlOf(folder, "tags", server, paths), 1.3);
}

async function compare(what, forgectl, curl, goal, before = []) {
  const taken = [];
  for (let round = 0; round < rounds; round++) taken.push({ theirs: await curl(), ours: await forgectl() });
  const seconds = (who) => (median(taken.map((each) => each[who].ms)) / 1000).toFixed(2);
  console.log(`${what}: ${seconds("ours")} s, curl ${seconds("theirs")} s`);
  report("time against curl -Z --parallel-max 8", median(taken.map(({ theirs, ours }) => ours.ms / theirs.ms)), goal);
  for (const [label, value] of before) report(label, value, undefined, " MiB");
  report("peak memory", Math.max(...taken.map(({ ours }) => ours.peak)), 150, " MiB");
}

async function artifacts(server) {
  await ours(server, "artifacts", "list", "-p", "1", "--job-id", "1000", "-o", "ndjson");
  const { requests, bytes } = await (await fetch(`${server.url}/counts`)).json();
  console.log("list of the 2,000 files in artifacts of 1 GiB");
  report("requests", requests, 5, "");
  report("read of the archive", bytes / 1024 ** 2, 1, " MiB");
}

/** 60 deletions, four at a time. Two take 4 s, the others 170 ms: a slow one holds up nothing but itself. */
async function slowItems(server) {
  const names = Array.from({ length: 60 }, (_, at) => `v${at}`);
  const env = environment({ FORGECTL_BASE_URL: server.url, FORGECTL_TOKEN: "bench-token" });
  const words = ["registry", "tags", "delete", "12", ...names, "-p", "7", "--yes", "-q", "--concurrency", "4"];
  const { ms } = await measure(process.execPath, [forgectl, ...words], { env });
  const possible = (58 * 170 + 2 * 4000) / 4;
  console.log(
    `60 deletions, two of them slow: ${(ms / 1000).toFixed(2)} s, possible ${(possible / 1000).toFixed(2)} s`,
  );
  report("time against what is possible", ms / possible, 1.15);
}
