// A long list against curl fetching the same pages, eight at a time, and its memory at a tenth of the length.
import { environment, forgectl, measure, median, report } from "./measure.mjs";
import { startServer } from "./server.mjs";

const rounds = 3;

export async function lists() {
  const long = await startServer("list-server.mjs", "100000", "20");
  const short = await startServer("list-server.mjs", "10000", "20");
  const list = (server) =>
    measure(process.execPath, [forgectl, "users", "list", "--limit", "all", "--concurrency", "8", "-o", "ndjson"], {
      env: environment({ FORGECTL_BASE_URL: server.url, FORGECTL_TOKEN: "bench-token" }),
    });
  const curl = () =>
    measure("curl", [
      "-sS",
      "-Z",
      "--no-progress-meter",
      "--parallel-max",
      "8",
      "-o",
      "/dev/null",
      `${long.url}/api/v4/users?per_page=100&page=[1-1000]`,
    ]);
  try {
    const ours = [];
    const theirs = [];
    const peaks = { long: [], short: [] };
    for (let round = 0; round < rounds; round++) {
      theirs.push((await curl()).ms);
      const whole = await list(long);
      ours.push(whole.ms);
      peaks.long.push(whole.peak);
      peaks.short.push((await list(short)).peak);
    }
    console.log(`100,000 users in 1,000 pages with 20 ms latency; curl ${(median(theirs) / 1000).toFixed(2)} s`);
    report("time against curl -Z --parallel-max 8", median(ours) / median(theirs), 1.5);
    report("peak memory at 100,000", median(peaks.long), 120, " MiB");
    report("peak memory at 100,000 against 10,000", median(peaks.long) / median(peaks.short), 1.25);
  } finally {
    long.stop();
    short.stop();
  }
}
