// Long lists against curl fetching the same pages, eight at a time; CPU time per row; memory at three lengths.
import { environment, forgectl, measure, median, report } from "./measure.mjs";
import { startServer } from "./server.mjs";

const rounds = 5;
const latency = "20";

export async function lists() {
  const servers = {
    short: await startServer("list-server.mjs", "10000", latency),
    long: await startServer("list-server.mjs", "100000", latency),
    near: await startServer("list-server.mjs", "100000", "0"),
    endless: await startServer("list-server.mjs", "1000000", "0"),
  };
  try {
    console.log("long lists, in rows of 1 kB");
    await times(servers);
    await cpu(servers.near);
    await memory(servers);
  } finally {
    for (const server of Object.values(servers)) server.stop();
  }
}

function list(server, ...flags) {
  const env = environment({ FORGECTL_BASE_URL: server.url, FORGECTL_TOKEN: "bench-token" });
  return measure(process.execPath, [forgectl, "users", "list", "--limit", "all", ...flags], { env });
}

function curl(server, pages) {
  const flags = ["-sS", "-Z", "--no-progress-meter", "--parallel-max", "8", "-o", "/dev/null"];
  return measure("curl", [...flags, `${server.url}/api/v4/users?per_page=100&page=[1-${pages}]`]);
}

/** Runs all cases in turns and returns the measurements of each. */
async function interleaved(cases) {
  const results = cases.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, run] of cases.entries()) results[index].push(await run());
  }
  return results.map((each) => ({ ms: median(each.map(({ ms }) => ms)), peak: median(each.map(({ peak }) => peak)) }));
}

async function times({ long, short }) {
  const [theirs, ours, eight, json, theirShort, ourShort] = await interleaved([
    () => curl(long, 1000),
    () => list(long, "-o", "ndjson"),
    () => list(long, "-o", "ndjson", "--concurrency", "8"),
    () => list(long, "-o", "json"),
    () => curl(short, 100),
    () => list(short, "-o", "ndjson"),
  ]);
  console.log(
    `      curl: 100,000 in ${(theirs.ms / 1000).toFixed(2)} s, 10,000 in ${(theirShort.ms / 1000).toFixed(2)} s`,
  );
  report("100,000, ndjson, against curl -Z --parallel-max 8", ours.ms / theirs.ms, 1.25);
  report("the same with --concurrency 8", eight.ms / theirs.ms, 1.4);
  report("10,000, ndjson, against curl -Z --parallel-max 8", ourShort.ms / theirShort.ms, 1.6);
  report("100,000, json against ndjson", json.ms / ours.ms, 1.1);
  report("100,000, json, peak memory", json.peak, 150, " MiB");
}

async function cpu(near) {
  const used = [];
  for (let round = 0; round < rounds; round++) used.push((await list(near, "-o", "ndjson")).cpu);
  report("CPU time per row, no latency", (median(used) * 1000) / 100_000, 28, " us");
}

async function memory({ short, near, endless }) {
  for (const format of ["ndjson", "tsv"]) {
    for (const [rows, server] of [
      ["10,000", short],
      ["100,000", near],
      ["1,000,000", endless],
    ]) {
      report(`${rows}, ${format}, peak memory`, (await list(server, "-o", format)).peak, 120, " MiB");
    }
  }
}
