// A download and an upload of 1 GiB over https, as real instances are, in turns with curl doing the same, and the peak
// memory of each.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../ready.mjs";
import { environment, forgectl, measure, median, report } from "./measure.mjs";
import { startServer } from "./server.mjs";

const rounds = 5;
const size = 1024 ** 3;
/**
 * A file in memory if possible: this program syncs a download to disk and curl does not, so on a disk most of the
 * difference would be the disk.
 */
const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

export async function transfers() {
  const server = await startServer("content-server.mjs", String(size));
  const url = server.url.replace("http:", "https:");
  const ca = join(root, "test", "faults", "fixtures", "ca.pem");
  const env = environment({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: "bench-token", FORGECTL_CA_FILE: ca });
  const curl = (...words) => measure("curl", ["-sS", "--cacert", ca, ...words]);
  const ours = (...words) => measure(process.execPath, [forgectl, ...words, "-p", "1"], { env });
  const down = (file) => ours("uploads", "download", "1", "-O", file);
  try {
    await within(memory, async (file) => {
      await compare("1 GiB down", {
        ours: () => down(file),
        curl: () => curl("-o", file, url),
        prepare: () => rmSync(file, { force: true }),
        goal: 1.3,
      });
      await compare("1 GiB down through a redirect", {
        ours: () => ours("uploads", "download", "2", "-O", file),
        curl: () => curl("-L", "-o", file, `${url}/2`),
        prepare: () => rmSync(file, { force: true }),
        goal: 1.3,
      });
      await compare("1 GiB up", {
        ours: () => ours("uploads", "create", file, "-q"),
        curl: () => curl("-o", "/dev/null", "-F", `file=@${file}`, url),
        goal: 1.3,
      });
    });
    await within(tmpdir(), (file) =>
      compare("1 GiB down to a disk, against curl and sync", {
        ours: () => down(file),
        curl: () => measure("sh", ["-c", 'curl -sS --cacert "$2" -o "$0" "$1" && sync "$0"', file, url, ca]),
        prepare: () => rmSync(file, { force: true }),
      }),
    );
  } finally {
    server.stop();
  }
}

async function within(parent, act) {
  const folder = mkdtempSync(join(parent, "forgectl-bench-"));
  try {
    await act(join(folder, "big"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function compare(what, { ours, curl, prepare = () => {}, goal }) {
  const times = { ours: [], curl: [] };
  const peaks = [];
  for (let round = 0; round < rounds; round++) {
    prepare();
    times.curl.push((await curl()).ms);
    prepare();
    const { ms, peak } = await ours();
    times.ours.push(ms);
    peaks.push(peak);
  }
  console.log(`${what}: ${median(times.ours).toFixed(0)} ms, curl ${median(times.curl).toFixed(0)} ms`);
  report(`${what}, time`, median(times.ours) / median(times.curl), goal);
  report(`${what}, peak memory`, Math.max(...peaks), 120, " MiB");
}
