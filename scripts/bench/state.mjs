// A plan of many projects with every section, against curl fetching the same, eight at a time; and its memory with five
// times as many projects.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fleet } from "./fleet.mjs";
import { environment, forgectl, measure, median, report } from "./measure.mjs";
import { startServer } from "./server.mjs";

const rounds = 3;
const sections = [
  "",
  "/job_token_scope",
  "/job_token_scope/allowlist",
  "/job_token_scope/groups_allowlist",
  "/protected_environments",
  "/error_tracking/settings",
];
/** What stands below a project's name. */
const project = `
    container_registry_access_level: private
    job_token_scope:
      inbound_enabled: true
      allowlist: [1, 2, 3]
      groups_allowlist: [4]
    protected_environments:
      - name: production
        deploy_access_levels: [{ access_level: maintainer }, { user_id: 7 }]
        approval_rules: [{ access_level: maintainer, required_approvals: 1 }, { user_id: 7 }]
      - name: staging
        deploy_access_levels: [{ access_level: maintainer }, { user_id: 7 }]
        approval_rules: [{ access_level: maintainer }, { user_id: 7 }]
    error_tracking: { active: true, integrated: true }
`;

export async function state() {
  const folder = mkdtempSync(join(tmpdir(), "forgectl-bench-"));
  const server = await startServer("state-server.mjs", "20");
  const quick = await startServer("state-server.mjs", "0");
  try {
    const [thousand, many] = [1000, 5000].map((count) => stateOf(folder, count));
    const urls = Array.from({ length: 1000 }, (_, at) =>
      sections.map((each) => `url = "${server.url}/api/v4/projects/acme%2Fp${at}${each}"\noutput = /dev/null`),
    );
    writeFileSync(join(folder, "curl"), urls.flat().join("\n"));
    const curl = () =>
      measure("curl", ["-sS", "-Z", "--no-progress-meter", "--parallel-max", "8", "-K", join(folder, "curl")]);
    const plan = (file, { url }) =>
      measure(process.execPath, [forgectl, "state", "plan", "-q", "-f", file, "--exit-code", "--concurrency", "8"], {
        env: environment({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: "bench-token" }),
      });
    const ours = [];
    const theirs = [];
    const peaks = [];
    for (let round = 0; round < rounds; round++) {
      theirs.push((await curl()).ms);
      const made = await plan(thousand, server);
      ours.push(made.ms);
      peaks.push(made.peak);
    }
    const large = (await plan(many, quick)).peak;
    const requests = await readsOf(quick);
    console.log(
      `plan of 1,000 projects with every section, 20 ms latency; curl ${(median(theirs) / 1000).toFixed(2)} s`,
    );
    report("time against curl -Z --parallel-max 8", median(ours) / median(theirs), 1.2);
    report("peak memory at 1,000", median(peaks), 150, " MiB");
    report("peak memory at 5,000", large, 150, " MiB");
    report("reads of a plan of 5,000", requests, 6 * 5000 + 1);
    for (const [count, goal] of [
      [40, 50],
      [500, 520],
    ]) {
      report(`reads of an apply of ${count} additions to one list`, await readsOfApply(folder, count), goal);
    }
  } finally {
    server.stop();
    quick.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  await fleet();
}

/** An apply to an instance of its own; its state folder is below `folder`. */
async function readsOfApply(folder, count) {
  const server = await startServer("state-server.mjs", "0");
  try {
    const file = join(folder, `additions-${count}.yaml`);
    const ids = Array.from({ length: count }, (_, at) => 101 + at);
    const list = `job_token_scope: { allowlist: [${ids.join(", ")}] }`;
    writeFileSync(file, `forgectl: 1\nprojects: { acme/p1: { ${list} } }\n`);
    await measure(process.execPath, [forgectl, "state", "apply", "-q", "-f", file, "--yes"], {
      env: environment({
        FORGECTL_BASE_URL: server.url,
        FORGECTL_TOKEN: "bench-token",
        FORGECTL_STATE_DIR: join(folder, `state-${count}`),
      }),
    });
    return await readsOf(server);
  } finally {
    server.stop();
  }
}

/** How many reads a server has answered. */
async function readsOf({ url }) {
  return Number(await (await fetch(`${url}/reads`)).text());
}

/** One file per project, as in `state export --dir`. */
function stateOf(folder, count) {
  const path = join(folder, String(count));
  mkdirSync(path);
  for (let at = 0; at < count; at++) {
    writeFileSync(join(path, `p${at}.yaml`), `forgectl: 1\nprojects:\n  acme/p${at}:${project}`);
  }
  return path;
}
