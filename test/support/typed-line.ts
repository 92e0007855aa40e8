import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { delimiter, join } from "node:path";
import type { Sandbox, SandboxOptions } from "../../src/sandbox/index.ts";
import { atEnd, oncePerFile } from "./ending.ts";
import { startSandbox } from "./sandbox.ts";
import { session } from "./session.ts";
import { folderWithProgram, isPlain, shellWords, writeProgram } from "./shell.ts";

// Runs lines of the documents as written, each against an unchanged sandbox, and in its own folder. A shell runs the
// line; a plain one it only splits into words, and the command runs as in other sessions.

/** Replaces the user: a yes to a question, and the token that a login asks for. */
const asks = /^\S+(?: \S+)*? (?:delete|remove|purge|prune|rotate|unprotect|limit|disable|keep|visibility|set) /;
const promptsForToken = /^auth login(?!.* --token-)/;
/** Commands that open an editor: the editor of these tests leaves the text empty. */
export const editor = /^notes update(?!.*(?:--body|--confidential))|^settings edit/;
/** Checks that exit with 10, since the sandbox's settings and environments have findings. */
export const finds = /^(?:(?:settings |envs |job-token |hooks )?audit|users report|hooks health) .*--exit-code/;
/** Commands that run until Ctrl-C. */
export const isLasting = (line: string) => /^(?:forgectl )?(?:sandbox start|hooks listen(?!.* --count))/.test(line);
export const started = /^(?:sandbox at|listening on) (?![\s\S]*error:)/m;

const user = oncePerFile(() => {
  const made = session();
  const bin = folderWithProgram(made.home);
  writeProgram(join(bin, "pass"), 'echo "$FORGECTL_TOKEN"');
  return { ...made, bin };
});

/** A run that can be rolled back, by hand: a setting, changed in an exported file. */
const applied = [
  "forgectl settings export -qO settings.yaml",
  "sed -i 's/^terminal_max_session_time:.*/terminal_max_session_time: 77/' settings.yaml",
  "forgectl settings apply -qf settings.yaml --yes",
];
const run = "20261121T164502Z-7f3a";
const lastRun = "$(forgectl state history --fields run --no-header | head -n 1)";

/** The preparations for examples that read a file, by a pattern of the line. */
const earlier: readonly (readonly [inLine: RegExp, ...lines: string[]])[] = [
  [/-f settings\.yaml/, "forgectl settings export -qO settings.yaml"],
  [/-f instance\.yaml/, "forgectl state export --settings -qO instance.yaml"],
  [/-f forge\b(?!\.)/, "forgectl state export --settings -g acme -p acme/storefront -q --dir forge"],
  [
    /-f environments\.yaml/,
    "forgectl state export -p acme/storefront --only protected_environments -qO environments.yaml",
  ],
  [/-f job-token\.yaml/, "forgectl state export -p acme/storefront --only job_token_scope -qO job-token.yaml"],
  [
    /--plan plan\.json|show plan\.json/,
    "forgectl state export --settings -qO instance.yaml",
    "forgectl state plan -qf instance.yaml --save plan.json",
  ],
  [new RegExp(` rollback|show ${run}`), ...applied],
  [
    /(?:rollback|show) run\.ndjson/,
    "forgectl state export --settings -qO instance.yaml",
    "sed -i 's/terminal_max_session_time:.*/terminal_max_session_time: 88/' instance.yaml",
    "forgectl state apply -qf instance.yaml --record run.ndjson --yes",
  ],
];

/** What must be typed before an example. */
export function preparations({ line, before }: { line: string; before?: string | undefined }): string[] {
  const first = earlier.filter(([inLine]) => inLine.test(line)).flatMap(([, ...all]) => all);
  return before === undefined ? first : [before, ...first];
}

/** The files that the examples expect in their folder. */
const texts: Readonly<Record<string, string>> = {
  "forge.yaml":
    "forgectl: 1\n" +
    "groups:\n  acme/mobile: { saml_group_links: [{ name: Engineering, access_level: developer }] }\n" +
    "projects:\n  acme/**: { container_registry_access_level: private }\n",
  "report.md": "# Report\n",
  "question.md": "Why?\n",
  "projects.txt": "acme/storefront\n",
  "users.csv": "old,new\ndana.dixon@acme.example,dana@acme.example\n",
  "commands.ndjson": '{"args": ["users", "get", "dana.dixon"]}\n{"args": ["job-token", "limit", "on", "-p", "7"]}\n',
  "key.txt": "an-example-key\n",
  "ca.pem": "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n",
  "screenshot.png": "\u0089PNG\n",
  "nightly.log": "ok\n",
};

interface Place {
  cwd: string;
  env: Record<string, string | undefined>;
  url: string;
  /** A port that was free a moment ago. */
  port: number;
}

/** The instance that a line is for. */
type Kind = Pick<SandboxOptions, "hosting" | "asDeployed">;

interface Instance {
  readonly kind: Kind;
  readonly sandbox: Sandbox;
  readonly isChanged: boolean;
}

/** Instances that were only read from are reused, since a start takes longer than most examples. */
const unchangedInstances = oncePerFile(() => {
  const kept: Instance[] = [];
  atEnd(() => Promise.all(kept.map(({ sandbox }) => sandbox.close())));
  return kept;
});

async function instanceOf(kind: Kind): Promise<Instance> {
  const unchanged = unchangedInstances();
  const at = unchanged.findIndex(
    (each) => each.kind.hosting === kind.hosting && each.kind.asDeployed === kind.asDeployed,
  );
  const [kept] = at < 0 ? [] : unchanged.splice(at, 1);
  if (kept !== undefined) return kept;
  let isChanged = false;
  const log = (line: string) => {
    // As deployed, the archive of a group can be downloaded once a minute.
    if (!/^(?:GET|HEAD) /.test(line) || line.includes("/export/download")) isChanged = true;
  };
  return {
    kind,
    sandbox: await startSandbox({ ...kind, log }),
    get isChanged() {
      return isChanged;
    },
  };
}

/** A sandbox, and a folder with a user's files, scripts, and two profiles. */
export async function inPlace<T>(kind: Kind, act: (place: Place) => Promise<T>): Promise<T> {
  const instance = await instanceOf(kind);
  const { sandbox } = instance;
  const { env, home, bin } = user();
  const cwd = mkdtempSync(join(home, "here-"));
  const token = sandbox.tokens.administrator;
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(cwd, name), text);
  writeFileSync(join(cwd, "token.txt"), `${token}\n`);
  writeProgram(join(cwd, "deploy.sh"), "exit 0");
  writeProgram(join(cwd, "nightly.sh"), "forgectl users me --jq .username");
  const config = join(cwd, ".config", "forgectl");
  mkdirSync(config, { recursive: true });
  const stored = { "base-url": sandbox.url, token: { storage: "file", "base-url": sandbox.url } };
  const profiles = {
    version: 1,
    current: "default",
    profiles: { default: stored, work: stored, staging: stored, production: stored, training: stored },
  };
  const names = Object.keys(profiles.profiles);
  const tokens = Object.fromEntries(names.map((name) => [`${name}@${sandbox.url}`, token]));
  writeFileSync(join(config, "profiles.json"), JSON.stringify(profiles), { mode: 0o600 });
  writeFileSync(join(config, "credentials.json"), JSON.stringify({ version: 1, tokens }), { mode: 0o600 });
  const variables = {
    ...env,
    HOME: cwd,
    PATH: `${bin}${delimiter}${env.PATH}`,
    XDG_CONFIG_HOME: join(cwd, ".config"),
    FORGECTL_BASE_URL: sandbox.url,
    FORGECTL_TOKEN: token,
    FORGECTL_REGISTRY_URL: sandbox.registryUrl,
    FORGECTL_REGISTRY_USER: sandbox.registryUser,
    FORGECTL_REGISTRY_PASSWORD: token,
    EDITOR: "true",
    SHELL: "/bin/bash",
  };
  try {
    return await act({ cwd, env: variables, url: sandbox.url, port: await freePort() });
  } finally {
    if (instance.isChanged) await sandbox.close();
    else unchangedInstances().push(instance);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** The end of the last line; stderr is that of all lines. */
interface End {
  code: number | null;
  stdout: string;
  stderr: string;
}

const input = "a line from stdin\n";

/** Runs lines one after the other until one fails. */
export async function type(all: readonly string[], place: Place): Promise<End> {
  const end: End = { code: 0, stdout: "", stderr: "" };
  for (const line of all) {
    const { code, stdout, stderr } =
      isPlain(line) && !isLasting(line) ? await runPlain(line, place) : await typeIntoShell(line, place);
    end.code = code;
    end.stdout = stdout;
    end.stderr += stderr;
    if (code !== 0) break;
  }
  return end;
}

async function runPlain(line: string, { cwd, env: variables }: Place): Promise<End> {
  const [, ...words] = await shellWords(line, { cwd, env: variables });
  return user().run(...words, { cwd, env: variables, input });
}

/** Runs a script in a shell. A command that runs until Ctrl-C gets it once it is ready. */
export function typeIntoShell(line: string, { cwd, env: variables }: Place): Promise<End> {
  return new Promise((resolve) => {
    const shell = spawn("sh", ["-c", line], {
      cwd,
      env: variables as NodeJS.ProcessEnv,
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    let stopped = false;
    shell.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk;
    });
    shell.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk;
      if (stopped || !/Ctrl-C stops it/.test(stderr)) return;
      stopped = true;
      process.kill(-(shell.pid as number), "SIGINT");
    });
    shell.stdin.on("error", () => undefined);
    shell.stdin.end(input);
    shell.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** The line as run in these tests: with the sandbox's address in place of the example's. */
export function asTyped(line: string, { url, port }: Place): string {
  const yes = asks.test(line) && !/ (?:--yes|--dry-run)/.test(line) ? "--yes " : "";
  // There is no keyring in the tests, and a login without a source of the token would prompt for it.
  const answers = promptsForToken.test(line) ? " --token-file token.txt" : "";
  return `forgectl ${yes}${line.replace(/^auth login/, "auth login --insecure-storage")}${answers}`
    .replaceAll("https://forge.example.com", url)
    .replace("--port 8080", "--port 0")
    .replace("--port 9000", `--port ${port}`)
    .replace("http://127.0.0.1:9000", `http://127.0.0.1:${port}`)
    .replace(run, lastRun)
    .replace(/ \| Out-String.*/, "");
}
