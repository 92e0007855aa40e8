import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFetched, ownTarget } from "../../scripts/package/fetched.mjs";
import { buildVersion } from "../../scripts/version.mjs";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";

// Each artifact of `npm run package` is installed in an empty place, and used as users would. They are built by this
// test; FORGECTL_TEST_PACKAGES=<folder> takes those of an earlier build.

const earlier = process.env.FORGECTL_TEST_PACKAGES;
const version = buildVersion(".");
// On disk, since it takes gigabytes.
const folder = mkdtempSync(join(process.env.FORGECTL_TEST_DISK ?? tmpdir(), "forgectl-package-"));
const out = earlier === undefined ? join(folder, "out") : resolve(earlier);
const has = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

const isLinux = ownTarget === "linux-x64";
const missing = [
  ...(isFetched(ownTarget) ? [] : ["Node for the executables (npm run package fetches it)"]),
  ...["dpkg-deb", "lintian", "unshare"].filter((program) => !has(program)),
  ...(existsSync("/bin/busybox") ? [] : ["busybox-static"]),
  ...(process.geteuid?.() === 0 ? [] : ["right to chroot"]),
];
const canBuild = isLinux && isFetched(ownTarget);
const canDeb = canBuild && has("dpkg-deb");
const canImage = canBuild && existsSync("/bin/busybox") && has("ldd");
if (missing.length > 0) process.stderr.write(`SKIPPED in part: test/package: there is no ${missing.join(", no ")}\n`);

let sandbox: Sandbox;
const pack = (target: string, ...artifacts: string[]) =>
  execFileSync(process.execPath, ["scripts/package.mjs", "--out", target, ...artifacts], { encoding: "utf8" });

beforeAll(async () => {
  sandbox = await startSandbox();
  if (earlier !== undefined) return;
  pack(out, "npm", ...(canBuild ? ["linux-x64"] : []), ...(canDeb ? ["deb"] : []), ...(canImage ? ["image"] : []));
}, 600_000);
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

/** An environment without this machine's variables. */
function environment() {
  return { FORGECTL_BASE_URL: sandbox.url, FORGECTL_TOKEN: sandbox.tokens.administrator };
}

interface Place {
  cwd?: string;
  env?: Record<string, string | undefined>;
  input?: string;
}

/** Asynchronous, since the sandbox runs in this process. */
function start(program: string, args: readonly string[], { cwd = folder, env = {}, input = "" }: Place = {}) {
  return new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: env as NodeJS.ProcessEnv });
    const printed = { stdout: "", stderr: "" };
    child.stdout.on("data", (text) => (printed.stdout += text));
    child.stderr.on("data", (text) => (printed.stderr += text));
    child.on("error", reject).on("close", (status) => resolve({ status, ...printed }));
    child.stdin.on("error", () => undefined).end(input);
  });
}

type Started = ReturnType<typeof start>;

/** A session right after the installation; `run` starts the installed program with this environment. */
async function session(run: (args: string[], env: Record<string, string>) => Started): Promise<void> {
  const typed = (line: string, env: Record<string, string> = environment()) => run(line.split(" "), env);
  expect(await typed("--version", {})).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
  expect((await typed("users list --help", {})).stdout).toContain("Usage: forgectl users list");
  expect(await typed("users list --username astrid.dlamini -o json --jq .[0].username")).toEqual({
    status: 0,
    stdout: '"astrid.dlamini"\n',
    stderr: "",
  });
  expect((await typed("settings get signup_enabled -q")).status).toBe(0);
  expect((await typed("commands -o json -q", {})).stdout).toContain('"users list"');
  expect((await typed("completion bash", {})).stdout).toContain("forgectl __complete");
  expect((await typed("__complete -- users li", {})).stdout).toContain("list");
  const refused = await typed("users get no.such.user");
  expect([refused.status, refused.stdout]).toEqual([3, ""]);
  expect((await typed("users me --debug")).stderr).toContain("GET ");
}

describe("the npm package", () => {
  it.runIf(has("sha256sum"))("is what the checksums say, as is all beside it", () => {
    const line = "sha256sum --check --ignore-missing SHA256SUMS";
    expect(readFileSync("docs/install.md", "utf8")).toContain(`\n${line}\n`);
    const said = spawnSync("sh", ["-c", line], { cwd: out, encoding: "utf8" });
    expect([said.status, said.stdout]).toEqual([0, expect.stringContaining(`forgectl-${version}.tgz: OK`)]);
  });

  it("is installed without a registry", { timeout: 120_000 }, async () => {
    const prefix = join(folder, "npm");
    execFileSync(
      "npm",
      ["install", "--global", "--prefix", prefix, "--offline", "--omit=optional", "--no-audit", "--no-fund"].concat(
        join(out, `forgectl-${version}.tgz`),
      ),
      { cwd: folder, stdio: "pipe" },
    );
    const bin = join(prefix, "bin", "forgectl");
    await session((args, env) => start(bin, args, { env: { PATH: process.env.PATH, ...env } }));
  });
});

describe.runIf(canBuild)("the executable", () => {
  const alone = join(folder, "alone");
  const home = join(folder, "home");
  const program = join(alone, "forgectl");

  beforeAll(() => {
    mkdirSync(alone);
    mkdirSync(home);
    cpSync(join(out, `forgectl-${version}-linux-x64`), program);
  });

  it("runs alone in a folder, in an empty environment, and leaves nothing there", { timeout: 120_000 }, async () => {
    await session((args, env) => start(program, args, { cwd: alone, env }));
    expect(readdirSync(alone)).toEqual(["forgectl"]);
  });

  it("includes its compiled code: a start stores none", async () => {
    const env = { ...environment(), HOME: home };
    expect((await start(program, ["users", "list", "-q"], { env })).status).toBe(0);
    expect(existsSync(join(home, ".cache"))).toBe(false);
  });

  // All that belongs together at once, since a start takes half a second; one that has an effect is enough to fail.
  it.each<[what: string, values: () => Record<string, string>]>([
    [
      "options of Node",
      () => ({
        NODE_OPTIONS: `--require ${planted()} --no-such-option --inspect=127.0.0.1:0 --max-old-space-size=x`,
      }),
    ],
    [
      "what has no effect",
      () => ({
        NODE_PATH: folder,
        NODE_TEST_CONTEXT: "child",
        NODE_CHANNEL_FD: "3",
        NODE_PENDING_DEPRECATION: "1",
        NODE_ICU_DATA: "/nowhere",
        NODE_USE_ENV_PROXY: "1",
        NODE_NO_WARNINGS: "1",
        OPENSSL_CONF: engine(),
        UV_THREADPOOL_SIZE: "1",
      }),
    ],
    ["the number of a worker", () => ({ NODE_UNIQUE_ID: "1" })],
    [
      "what `help environment` describes",
      () => ({
        NODE_EXTRA_CA_CERTS: "/nowhere",
        NODE_USE_SYSTEM_CA: "1",
        NODE_TLS_REJECT_UNAUTHORIZED: "0",
        NODE_COMPILE_CACHE: join(folder, "cache"),
        NODE_V8_COVERAGE: join(folder, "coverage"),
        NODE_REDIRECT_WARNINGS: join(folder, "warnings"),
        NODE_DEBUG: "http",
      }),
    ],
  ])("has an environment of its own: %s", async (_, values) => {
    const env = { ...environment(), HOME: home, ...values() };
    const me = await start(program, ["users", "me", "--jq", ".username"], { env });
    expect([me.status, me.stdout, existsSync(join(folder, "INJECTED"))]).toEqual([0, "root\n", false]);
    const missing = await start(program, ["users", "get", "no.such.user"], { env });
    expect([missing.status, missing.stdout]).toEqual([3, ""]);
    expect(me.stderr).not.toMatch(/Debugger listening|not allowed/);
  });

  it("has arguments of its own: a text that is written as an option of Node is a text", async () => {
    const file = join(folder, "settings.env");
    writeFileSync(file, `NODE_OPTIONS=--require ${planted()}\n`);
    for (const text of [`--env-file=${file}`, "--env-file=/nowhere", "--inspect"]) {
      const words = ["notes", "create", "--issue", "1", "-p", "acme/docs", "--body", text, "--jq", ".body"];
      const made = await start(program, words, { env: { ...environment(), HOME: home } });
      expect(made).toEqual({ status: 0, stdout: `${text}\n`, stderr: expect.any(String) });
      expect(existsSync(join(folder, "INJECTED"))).toBe(false);
    }
  });

  it("has no debugger: a signal does not open it", async () => {
    const child = spawn(program, ["sandbox", "start", "--port", "0"], { env: { HOME: home }, stdio: "pipe" });
    let printed = "";
    child.stderr.on("data", (text) => (printed += text));
    const ended = new Promise((resolve) => child.on("close", resolve));
    await new Promise((resolve) => child.stderr.once("data", resolve));
    child.kill("SIGUSR1");
    setTimeout(() => child.kill(), 500);
    await ended;
    expect(printed).not.toMatch(/debugger/i);
  });

  /** A module that proves that it was loaded. */
  function planted(): string {
    const path = join(folder, "injected.cjs");
    writeFileSync(path, `require("node:fs").writeFileSync(${JSON.stringify(join(folder, "INJECTED"))}, "")`);
    return path;
  }

  /** A configuration of OpenSSL with a module that cannot be loaded: a program that reads it ends with an error. */
  function engine(): string {
    const path = join(folder, "openssl.cnf");
    const parts = ["[all]", "engines = list", "[list]", "injected = module", "[module]", "dynamic_path = /nowhere.so"];
    writeFileSync(path, ["nodejs_conf = all", ...parts, ""].join("\n"));
    return path;
  }

  it("starts itself in a sandbox, and many commands in one process", async () => {
    const env = { PATH: `${alone}:/usr/bin:/bin`, HOME: home };
    const inner = await start(program, ["sandbox", "exec", "--", "forgectl", "users", "me", "--jq", ".username"], {
      env,
    });
    expect(inner).toEqual({ status: 0, stdout: "root\n", stderr: "" });
    const batch = await start(program, ["batch", "-"], {
      env: { ...environment(), HOME: home },
      input: '{"args":["users","get","astrid.dlamini"]}\n{"args":["users","me"]}\n',
    });
    expect([batch.status, batch.stderr]).toEqual([0, expect.not.stringContaining("error")]);
  });

  it("installs completion, and plans a state", async () => {
    const env = { ...environment(), PATH: "/usr/bin:/bin", HOME: home, SHELL: "/bin/bash" };
    expect((await start(program, ["completion", "install"], { env })).status).toBe(0);
    const exported = await start(program, ["state", "export", "--settings", "--dir", join(home, "forge")], { env });
    expect([exported.status, exported.stdout]).toEqual([0, expect.anything()]);
    const plan = await start(program, ["state", "plan", "-f", join(home, "forge"), "--exit-code"], { env });
    expect([plan.status, plan.stderr]).toEqual([0, expect.not.stringContaining("error")]);
  });

  it("loads the keyring's addon from the user's own cache, and explains failures", {
    timeout: 60_000,
  }, async () => {
    const login = (env: Record<string, string>) =>
      start(program, ["auth", "login", "--base-url", sandbox.url, "--token-stdin"], {
        env,
        input: `${sandbox.tokens.administrator}\n`,
      });
    const { status, stderr } = await login({ HOME: home });
    // There is no keyring service here, which only the addon can detect.
    expect([status, stderr]).toEqual([2, expect.stringContaining("no keyring is available")]);
    expect(readdirSync(join(home, ".cache", "forgectl", "addons"))).toEqual([
      expect.stringMatching(/^keyring-[\da-f]+\.node$/),
    ]);
    expect((await login({ HOME: "/proc/nowhere" })).stderr).toContain("no keyring is available");
    // Without this folder, it would read the configuration of the user who runs the tests.
    const { stderr: homeless } = await login({ XDG_CONFIG_HOME: home });
    expect(homeless).toContain("neither XDG_CACHE_HOME nor HOME is set");
  });
});

describe.runIf(canDeb)("the .deb", () => {
  const file = () => join(out, readdirSync(out).find((name) => name.endsWith("_amd64.deb")) ?? "");

  it("installs the program, its manual, completions, and licenses", { timeout: 120_000 }, async () => {
    const root = join(folder, "deb");
    execFileSync("dpkg-deb", ["--extract", file(), root]);
    for (const path of [
      "share/man/man1/forgectl.1.gz",
      "share/bash-completion/completions/forgectl",
      "share/zsh/vendor-completions/_forgectl",
      "share/fish/vendor_completions.d/forgectl.fish",
      "share/forgectl/forgectl.ps1",
    ]) {
      expect(existsSync(join(root, "usr", path)), path).toBe(true);
    }
    const copyright = readFileSync(join(root, "usr/share/doc/forgectl/copyright"), "utf8");
    for (const each of ["forgectl authors", "undici", "Node.js", "Oniguruma", "Stephen Dolan"]) {
      expect(copyright).toContain(each);
    }
    await session((args, env) => start(join(root, "usr/bin/forgectl"), args, { env }));
  });

  /**
   * The package with a small program in place of the executable, which is Node's own as far as lintian can see, and
   * would take it another minute.
   */
  function withSmallProgram(): string {
    const tree = join(folder, "small");
    const path = join(tree, "usr/bin/forgectl");
    execFileSync("dpkg-deb", ["--raw-extract", file(), tree]);
    cpSync("/bin/true", path);
    const list = join(tree, "DEBIAN/md5sums");
    const sum = createHash("md5").update(readFileSync(path)).digest("hex");
    writeFileSync(list, readFileSync(list, "utf8").replace(/^\w+(?= {2}usr\/bin\/forgectl$)/m, sum));
    const small = join(folder, basename(file()));
    execFileSync("dpkg-deb", ["--build", "--root-owner-group", "-Zgzip", "-z1", tree, small], { stdio: "pipe" });
    return small;
  }

  // The two that take nearly all of its time: the spelling in Node's executable, where it never reports an error or a
  // warning, and the manual pages, which mandoc checks (test/docs/manual.test.ts). With FORGECTL_TEST_FORMATS=all, the
  // executable too.
  const slowParts = ["--dont-check-part", "binaries/spelling,documentation/manual"];
  it.runIf(earlier !== undefined && has("lintian"))("has nothing that lintian would say", { timeout: 300_000 }, () => {
    const checked = process.env.FORGECTL_TEST_FORMATS === "all" ? file() : withSmallProgram();
    const said = spawnSync("lintian", ["--fail-on", "error,warning", "--allow-root", ...slowParts, checked], {
      encoding: "utf8",
      // It keeps the strings of the executable in memory: large memory pages halve its time in the kernel.
      env: { ...process.env, GLIBC_TUNABLES: "glibc.malloc.hugetlb=1" },
    });
    expect([said.stdout, said.status]).toEqual(["", 0]);
  });
});

describe.runIf(canImage)("the image", () => {
  const layout = join(folder, "layout");
  const root = join(folder, "root");

  beforeAll(() => {
    mkdirSync(layout);
    mkdirSync(root);
    execFileSync("tar", ["-xf", join(out, `forgectl-${version}-linux-x64.oci.tar`), "-C", layout]);
  });

  const blob = (digest: string) => join(layout, "blobs", ...digest.split(":"));
  const read = (digest: string) => JSON.parse(readFileSync(blob(digest), "utf8"));

  it("has a non-root user, and starts a shell if a pipeline requests one", () => {
    const [entry] = JSON.parse(readFileSync(join(layout, "index.json"), "utf8")).manifests;
    const { config, layers } = read(entry.digest);
    expect(read(config.digest)).toMatchObject({ os: "linux", config: { User: "10001:10001", Cmd: ["forgectl"] } });
    expect(read(config.digest).config.Entrypoint).toBeUndefined();
    for (const { digest } of layers) execFileSync("tar", ["-xzf", blob(digest), "-C", root]);
    expect(readFileSync(join(root, "etc/ssl/certs/ca-certificates.crt"), "utf8")).toContain("BEGIN CERTIFICATE");
  });

  it.runIf(process.geteuid?.() === 0 && has("unshare"))(
    "works on a file system that it cannot write to, without a home",
    { timeout: 120_000 },
    async () => {
      const inside = `mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec chroot --userspec=10001:10001 "$0" "$@"`;
      const chroot = (args: string[], env: Record<string, string> = {}) =>
        start("unshare", ["--mount", "sh", "-c", inside, root, ...args], {
          env: { ...env, PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
        });
      await session((args, env) => chroot(["forgectl", ...args], env));
      const script = "id -u; touch /tmp/x 2>/dev/null || echo read-only; forgectl users me --jq .username | tr a-z A-Z";
      expect((await chroot(["/bin/sh", "-c", script], environment())).stdout).toBe("10001\nread-only\nROOT\n");
    },
  );
});
