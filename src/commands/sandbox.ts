import { array, boolean, integer, oneOf, required, string } from "../api/field.ts";
import { Failure, UsageError } from "../base/errors.ts";
import { command } from "../declare/command.ts";
import type { Sandbox, SandboxOptions } from "../sandbox/index.ts";

const roles = [
  "administrator",
  "owner",
  "maintainer",
  "developer",
  "reporter",
  "planner",
  "guest",
  "outsider",
] as const satisfies readonly (keyof Sandbox["tokens"])[];

const sandboxFlags = {
  data: string("Store the state in this file, and load it at the start", {
    placeholder: "file",
    completes: "file",
    writes: "appended",
  }),
  latency: integer("Milliseconds to wait before every answer", { placeholder: "ms", min: 0, max: 600_000 }),
  fault: array(
    string("", { placeholder: "spec" }),
    "Fault to inject, such as 'GET /users=503*2', '429:retry-after=1', reset, slow, truncate, html",
  ),
  tier: oneOf(["free", "premium", "ultimate"], "Tier of the instance", { default: "ultimate" }),
  hosting: oneOf(["hosted", "self-managed"], "Kind of hosting", { default: "self-managed" }),
  as_deployed: boolean("Answer as real instances do where they differ from the API documents"),
  settings_cache: integer("Seconds during which reads return the previous settings after a change", {
    placeholder: "s",
    min: 0,
    max: 3600,
  }),
};

interface Flags {
  port?: number | undefined;
  data?: string | undefined;
  latency?: number | undefined;
  fault?: string[] | undefined;
  tier?: "free" | "premium" | "ultimate" | undefined;
  hosting?: "hosted" | "self-managed" | undefined;
  as_deployed?: boolean | undefined;
  settings_cache?: number | undefined;
}

/** The columns before the tokens. */
const place = ["base_url", "registry_url", "tier", "hosting"];

const start = command({
  name: "start",
  summary: "Start an embedded platform on loopback and keep it until Ctrl-C",
  details:
    "A complete instance with users, groups, projects, and months of events, for learning and for testing automation. " +
    "It prints its address and a token for each role; requests are logged on stderr.",
  params: {
    port: integer("TCP port; default any free one", { placeholder: "n", min: 0, max: 65_535 }),
    ...sandboxFlags,
  },
  examples: [
    { line: "sandbox start --port 8080" },
    { line: "sandbox start --data state.json --tier premium", note: "kept between runs" },
    { line: "sandbox start --fault 'GET /users=503*2' --latency 50", note: "an instance with faults" },
  ],
  related: ["sandbox exec"],
  standalone: true,
  async run(context, flags) {
    const { quiet } = context.config;
    const log = quiet ? undefined : (line: string) => context.notice(line);
    const sandbox = await open(flags, log);
    const token = sandbox.tokens.administrator;
    context.notice(`sandbox at ${sandbox.url}; Ctrl-C stops it. In another shell:`);
    context.notice(`  export FORGECTL_BASE_URL=${sandbox.url} FORGECTL_TOKEN=${token}`);
    context.notice(`  export FORGECTL_REGISTRY_URL=${sandbox.registryUrl}`);
    context.notice(`  export FORGECTL_REGISTRY_USER=${sandbox.registryUser} FORGECTL_REGISTRY_PASSWORD=${token}`);
    const tokens = Object.fromEntries(Object.entries(sandbox.tokens).map(([name, text]) => [snakeCase(name), text]));
    return {
      record: {
        base_url: sandbox.url,
        registry_url: sandbox.registryUrl,
        tier: flags.tier ?? "ultimate",
        hosting: flags.hosting ?? "self-managed",
        tokens,
      },
      columns: [...place, ...Object.keys(tokens).map((name) => `tokens.${name}`)],
      // These are the program's own words, and no secrets: a sandbox that hides its tokens is of no use.
      reveal: true,
      until: async (printed) => {
        try {
          await printed;
          await aborted(context.signal);
        } finally {
          await inFlagWords(() => sandbox.close());
        }
      },
    };
  },
});

const exec = command({
  name: "exec",
  summary: "Run a command against a fresh sandbox",
  details:
    "The command finds the sandbox's addresses and a token in its environment (FORGECTL_BASE_URL, FORGECTL_TOKEN, " +
    "FORGECTL_REGISTRY_URL, FORGECTL_REGISTRY_USER, FORGECTL_REGISTRY_PASSWORD), and no stored profiles. Its exit " +
    "code and signals are passed on; the sandbox ends with it and leaves nothing behind.",
  args: { command: required(array(string(), "The command and its arguments", { completes: "command" })) },
  params: { ...sandboxFlags, as: oneOf(roles, "Role of the command's token", { default: "administrator" }) },
  passThrough: true,
  examples: [
    { line: "sandbox exec -- forgectl users me" },
    { line: "sandbox exec --as guest -- ./nightly.sh", note: "does the script work with a guest's token?" },
  ],
  related: ["sandbox start"],
  standalone: true,
  async run(context, { command: words, as = "administrator", ...flags }) {
    const sandbox = await open(flags);
    // A profile's proxy, certificates, or project are for another instance.
    const profiles = await context.files.temporaryFolder();
    try {
      const { code } = await context.processes.run(words, {
        stdio: "inherit",
        env: {
          FORGECTL_BASE_URL: sandbox.url,
          FORGECTL_REGISTRY_URL: sandbox.registryUrl,
          FORGECTL_TOKEN: sandbox.tokens[as],
          FORGECTL_REGISTRY_USER: sandbox.registryUser,
          FORGECTL_REGISTRY_PASSWORD: sandbox.tokens[as],
          FORGECTL_PROFILE: undefined,
          FORGECTL_SANDBOX: "1",
          // A sandbox is not what it protects.
          FORGECTL_READ_ONLY: undefined,
          FORGECTL_CONFIG_DIR: profiles,
        },
      });
      return { exit: code };
    } finally {
      await context.files.removeFolder(profiles);
      await inFlagWords(() => sandbox.close());
    }
  },
});

async function open(flags: Flags, log?: (line: string) => void): Promise<Sandbox> {
  const { startSandbox } = await import("../sandbox/index.ts");
  try {
    return await inFlagWords(() => startSandbox(optionsOf(flags, log)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EADDRINUSE" && code !== "EACCES") throw error;
    const reason = code === "EACCES" ? "may not be used" : "is in use";
    throw new Failure("network", `the port ${flags.port} ${reason}`, {
      code: "port_unavailable",
      hint: "leave out --port for any free one",
    });
  }
}

/** Adds the flag to the sandbox's errors. */
async function inFlagWords<T>(act: () => Promise<T>): Promise<T> {
  const { FaultSpecError, SandboxDataError } = await import("../sandbox/index.ts");
  try {
    return await act();
  } catch (error) {
    if (error instanceof FaultSpecError) throw new UsageError(`--fault: ${error.message}`);
    if (error instanceof SandboxDataError) throw new UsageError(`--data: ${error.message}`);
    throw error;
  }
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function optionsOf(flags: Flags, log: ((line: string) => void) | undefined): SandboxOptions {
  return {
    ...(flags.port !== undefined && { port: flags.port }),
    ...(flags.data !== undefined && { dataFile: flags.data }),
    ...(flags.latency !== undefined && { latencyMs: flags.latency }),
    ...(flags.fault !== undefined && { faults: flags.fault.join(";") }),
    ...(flags.tier !== undefined && { tier: flags.tier }),
    ...(flags.hosting !== undefined && { hosting: flags.hosting }),
    ...(flags.as_deployed !== undefined && { asDeployed: flags.as_deployed }),
    ...(flags.settings_cache !== undefined && { settingsCacheSeconds: flags.settings_cache }),
    ...(log !== undefined && { log }),
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

export const sandbox = [start, exec];
