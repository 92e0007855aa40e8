// `npm run demo`: a short tour of the program on a sandbox of its own. Every command is printed before its output.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ready, root } from "./ready.mjs";

const tour = [
  ["Who am I?", ["auth", "status"]],
  ["The newest users", ["users", "list", "--limit", "5", "-o", "table"]],
  ["The same for a script: JSON, filtered", ["users", "list", "--blocked", "--jq", ".[].username"]],
  ["What does a setting mean?", ["settings", "explain", "terminal_max_session_time", "-o", "table"]],
  ["What is it now? A name alone prints the bare value", ["settings", "get", "terminal_max_session_time"]],
  ["What would a change send?", ["settings", "set", "terminal_max_session_time=3600", "--dry-run", "-o", "json"]],
  ["Change it", ["settings", "set", "terminal_max_session_time=3600", "-o", "table"]],
  ["A value out of bounds never leaves this machine (exit 2)", ["settings", "set", "asciidoc_max_includes=65"]],
  [
    "Which image tags would a clean-up delete? Nothing is sent yet",
    [
      ...["registry", "tags", "prune", "12", "-p", "acme/storefront", "--delete-regex", "v1\\..*", "--keep-n", "9"],
      ...["--dry-run", "--jq", '.[] | select(.verdict == "DELETE") | .name'],
    ],
  ],
  [
    "Which webhook deliveries failed?",
    ["hooks", "events", "2", "-g", "acme", "--status", "server_failure", "--limit", "3", "-o", "table"],
  ],
  ["What happened lately in a project?", ["events", "list", "-p", "acme/storefront", "--limit", "5", "-o", "table"]],
  ["A failing call says why, and scripts get an exit code (3)", ["users", "get", "4711"]],
];

ready();
const home = mkdtempSync(join(tmpdir(), "forgectl-demo-"));
const sandbox = spawn(
  process.execPath,
  [join(root, "bin", "forgectl.js"), "sandbox", "start", "-o", "json", "--quiet"],
  {
    stdio: ["ignore", "pipe", "inherit"],
  },
);
try {
  const { base_url: url, tokens } = await firstObject(sandbox.stdout);
  console.log(`\nA sandbox runs at ${url}. Every command below talks to it.`);
  const env = cleanEnvironment({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: tokens.administrator });
  for (const [title, args] of tour) {
    console.log(`\n# ${title}\n$ forgectl ${args.map(quoted).join(" ")}`);
    const { status } = spawnSync(process.execPath, [join(root, "bin", "forgectl.js"), ...args], {
      env,
      stdio: "inherit",
    });
    if (status !== 0) console.log(`(exit code ${status})`);
  }
  console.log("\nThat was the tour. The sandbox is gone; start your own with: node bin/forgectl.js sandbox start");
} finally {
  sandbox.kill("SIGTERM");
  if (sandbox.exitCode === null && sandbox.signalCode === null) await once(sandbox, "exit");
  rmSync(home, { recursive: true, force: true });
}

/** Nothing of the viewer's own profiles and tokens takes part. */
function cleanEnvironment(more) {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:FORGECTL_|CI$|CI_)/.test(name));
  return { ...Object.fromEntries(own), FORGECTL_CONFIG_DIR: home, ...more };
}

async function firstObject(stream) {
  let text = "";
  for await (const chunk of stream) {
    text += chunk;
    try {
      return JSON.parse(text);
    } catch {
      // Not whole yet.
    }
  }
  throw new Error(`the sandbox did not start: ${text}`);
}

function quoted(word) {
  return /^[\w./:=@-]+$/.test(word) ? word : `'${word}'`;
}
