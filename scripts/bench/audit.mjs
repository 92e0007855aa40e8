// An audit of a group of many projects, against curl fetching the same, eight at a time; and its memory, also
// with reports and evidence, and with five times as many projects.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environment, forgectl, measure, median, report } from "./measure.mjs";
import { startServer } from "./server.mjs";

const rounds = 3;

export async function audit() {
  const folder = mkdtempSync(join(tmpdir(), "forgectl-bench-"));
  const server = await startServer("audit-server.mjs", "1000", "20");
  const large = await startServer("audit-server.mjs", "5000", "0");
  const run = ({ url }, ...more) =>
    measure(process.execPath, [forgectl, "audit", "-g", "acme", "-q", "--concurrency", "8", ...more], {
      env: environment({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: "bench-token" }),
    });
  try {
    await run(server);
    const asked = (await (await fetch(`${server.url}/asked`)).text()).split("\n");
    const urls = asked.map((path) => `url = "${server.url}${path}"\noutput = /dev/null`);
    writeFileSync(join(folder, "curl"), urls.join("\n"));
    const theirs = [];
    const ours = [];
    const peaks = [];
    for (let round = 0; round < rounds; round++) {
      const args = ["-sS", "-Z", "--no-progress-meter", "--parallel-max", "8", "-K", join(folder, "curl")];
      theirs.push((await measure("curl", args)).ms);
      const made = await run(server);
      ours.push(made.ms);
      peaks.push(made.peak);
    }
    const files = ["codequality", "sarif"].flatMap((form) => ["--report", `${form}=${join(folder, form)}`]);
    const kept = await run(server, ...files, "--out", join(folder, "evidence"));
    const seconds = (median(theirs) / 1000).toFixed(2);
    console.log(`audit of 1,000 projects, ${asked.length} GETs, 20 ms latency; curl ${seconds} s`);
    report("time against curl -Z --parallel-max 8", median(ours) / median(theirs), 1.2);
    report("peak memory at 1,000", median(peaks), 150, " MiB");
    report("peak memory at 1,000, with reports and evidence", kept.peak, 150, " MiB");
    report("peak memory at 5,000", (await run(large)).peak, 150, " MiB");
  } finally {
    server.stop();
    large.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
