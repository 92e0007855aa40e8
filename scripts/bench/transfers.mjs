// 1 GiB down to a file and up from one, against curl doing the same by turns, and the peak memory of each.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environment, forgectl, measure, median, report } from "./measure.mjs";
import { startServer } from "./server.mjs";

const rounds = 5;
const size = 1024 ** 3;

export async function transfers() {
  const server = await startServer("content-server.mjs", String(size));
  const folder = mkdtempSync(join(tmpdir(), "forgectl-bench-"));
  const env = environment({ FORGECTL_BASE_URL: server.url, FORGECTL_TOKEN: "bench-token" });
  const ours = (...words) => measure(process.execPath, [forgectl, ...words, "-p", "1"], { env });
  const big = join(folder, "big");
  // What other programs and the run before have left to be written would be paid for by this one.
  const fresh = () => {
    rmSync(big, { force: true });
    spawnSync("sync");
  };
  const down = {
    ours: () => ours("uploads", "download", "1", "-O", big),
    curl: () => measure("curl", ["-sS", "-o", big, server.url]),
    // curl leaves the bytes to the system's memory; a download of ours is on the disk when it is done.
    synced: () => measure("sh", ["-c", 'curl -sS -o "$0" "$1" && sync "$0"', big, server.url]),
  };
  const up = {
    ours: () => ours("uploads", "create", big),
    curl: () => measure("curl", ["-sS", "-o", "/dev/null", "-F", `file=@${big}`, server.url]),
  };
  try {
    await compare("1 GiB down", down, fresh);
    await compare("1 GiB up", up, () => {});
  } finally {
    server.stop();
    rmSync(folder, { recursive: true });
  }
}

async function compare(what, { ours, curl, synced }, prepare) {
  const times = { ours: [], curl: [], synced: [] };
  const peaks = [];
  for (let round = 0; round < rounds; round++) {
    prepare();
    times.curl.push((await curl()).ms);
    prepare();
    if (synced !== undefined) times.synced.push((await synced()).ms);
    prepare();
    const { ms, peak } = await ours();
    times.ours.push(ms);
    peaks.push(peak);
  }
  console.log(`${what}: ${median(times.ours).toFixed(0)} ms, curl ${median(times.curl).toFixed(0)} ms`);
  report(`${what}, time against curl`, median(times.ours) / median(times.curl), 1.3);
  if (synced !== undefined)
    report(`${what}, time against curl and sync`, median(times.ours) / median(times.synced), 1.3);
  report(`${what}, peak memory`, Math.max(...peaks), 120, " MiB");
}
