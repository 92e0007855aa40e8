// `npm run demo`: a short tour of the program on its own sandbox. Every command is printed before its output.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ready, root, run } from "./ready.mjs";

const forgectl = join(root, "bin", "forgectl.js");

const tour = [
  ["Who am I?", ["auth", "status", "-o", "table"]],
  ["The newest users", ["users", "list", "--limit", "5", "-o", "table"]],
  ["The same for a script: JSON, filtered", ["users", "list", "--blocked", "--limit", "3", "--jq", ".[].username"]],
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
  [
    "Configuration as code: the current configuration, as files",
    ["state", "export", "--settings", "-g", "acme", "--dir", "forge"],
  ],
  ["A setting is changed by hand", ["settings", "set", "terminal_max_session_time=60", "-o", "table"]],
  ["The plan sees it (exit 10: something differs)", ["state", "plan", "-f", "forge", "--exit-code", "-o", "table"]],
  ["Apply brings back what the files say, and looks again", ["state", "apply", "-f", "forge", "--yes", "-o", "table"]],
  ["A second apply has nothing to do", ["state", "apply", "-f", "forge", "--yes", "-o", "table"]],
  ["A failing call says why, and scripts get an exit code (3)", ["users", "get", "4711"]],
];

// Ctrl-C interrupts the running command, which reports it and exits; then the tour exits too.
process.on("SIGINT", () => {});

if (process.argv[2] === "tour") {
  showTour();
} else {
  ready();
  // The sandbox stops with the tour, however it ends, and the tour does not use the user's own profiles.
  const tourAgain = [process.execPath, fileURLToPath(import.meta.url), "tour"];
  run(process.execPath, [forgectl, "sandbox", "exec", "--", ...tourAgain], { env: cleanEnvironment() });
}

function showTour() {
  // Files of the tour and of its changes are removed at the end.
  const cwd = mkdtempSync(join(tmpdir(), "forgectl-demo-"));
  process.on("exit", () => rmSync(cwd, { recursive: true, force: true }));
  const env = { ...process.env, FORGECTL_STATE_DIR: join(cwd, "state") };
  console.log(`\nA sandbox runs at ${process.env.FORGECTL_BASE_URL}. All commands below use it.`);
  for (const [title, args] of tour) {
    console.log(`\n# ${title}\n$ forgectl ${args.map(quoted).join(" ")}`);
    const { status, signal } = spawnSync(process.execPath, [forgectl, ...args], { stdio: "inherit", cwd, env });
    if (status === 130 || signal !== null) process.exit(130);
    if (status !== 0) console.log(`(exit code ${status})`);
  }
  console.log("\nEnd of the tour; its sandbox stops now. Start your own: node bin/forgectl.js sandbox start");
}

/** The user's own address, token, and job are not used. */
function cleanEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:FORGECTL_|CI$|CI_)/.test(name)));
}

function quoted(word) {
  return /^[\w./:=@-]+$/.test(word) ? word : `'${word}'`;
}
