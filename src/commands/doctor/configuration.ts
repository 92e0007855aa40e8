import { dirname } from "node:path";
import { quoted } from "../../base/shell-words.ts";
import type { Config, Problem } from "../../config/config.ts";
import { inJob } from "../../config/profile.ts";
import { readTls } from "../../config/tls.ts";
import type { Files } from "../../host.ts";
import { type Check, type Finding, failed, ok, warn } from "./checks.ts";
import type { Subject } from "./subject.ts";

/** The configuration on this machine: files, profile, and the source of each value. */
export function configurationChecks(subject: Subject): Check[] {
  const { config } = subject;
  return [
    {
      name: "config",
      hint: "check the permissions of the folder, or name another one with FORGECTL_CONFIG_DIR",
      run: () => checkFiles(subject),
    },
    { name: "profile", needs: ["config"], hint: "forgectl profiles list", run: () => checkProfile(subject) },
    { name: "base_url", hint: "forgectl auth login", run: async () => checkBaseUrl(config) },
    { name: "values", hint: "forgectl help environment", run: () => checkValues(subject) },
  ];
}

/** The files, and whether others can read or write them. */
async function checkFiles({ config, context: { files, program } }: Subject): Promise<Finding> {
  const { store, secrets, problems } = config;
  const broken = problemIn(problems, ["config"]);
  if (broken !== undefined) return broken;
  // The owner's permissions are not checked; Windows has none of these.
  const kinds = [
    { path: store.folder, open: 0o022, close: "700" },
    { path: store.path, open: 0o077, close: "600" },
    { path: secrets.path, open: 0o077, close: "600" },
  ];
  const present: string[] = [];
  const open: string[] = [];
  for (const { path, open: bits, close } of kinds) {
    const facts = await files.facts(path);
    if (facts === undefined) continue;
    const hasModes = program.platform !== "win32";
    present.push(hasModes ? `${path} (${(facts.mode & 0o777).toString(8).padStart(4, "0")})` : path);
    if (hasModes && (facts.mode & bits) !== 0) open.push(`chmod ${close} ${quoted(path)}`);
  }
  if (present.length === 0) return checkUnwritten(files, store.path);
  if (open.length === 0) return ok(present.join(", "));
  return warn(`other users of this machine have access: ${present.join(", ")}`, open.join("; "));
}

/** Nothing is stored yet: whether it could be. */
async function checkUnwritten(files: Files, path: string): Promise<Finding> {
  let folder = dirname(path);
  let facts = await files.facts(folder);
  while (facts === undefined && dirname(folder) !== folder) {
    folder = dirname(folder);
    facts = await files.facts(folder);
  }
  if (facts?.kind === "folder" && (await files.isWritable(folder)))
    return ok(`nothing is stored yet; the profiles will be in ${path}`);
  const problem = facts?.kind === "folder" ? "cannot be written to" : "is not a folder";
  return warn(
    `nothing can be stored in ${path}: ${folder} ${problem}`,
    "name another folder with FORGECTL_CONFIG_DIR, or XDG_CONFIG_HOME; flags and the environment still apply",
  );
}

async function checkProfile({ config, context }: Subject): Promise<Finding> {
  const { profile, store, problems } = config;
  const wrong = problemIn(problems, ["profile"]);
  if (wrong !== undefined) return wrong;
  const { current, profiles } = await store.read();
  if (profile !== undefined) {
    const shown = `${profile.value} (${profile.source})`;
    const unknown = Object.keys(profiles.get(profile.value)?.rest ?? {});
    if (unknown.length === 0) return ok(shown);
    return warn(
      `${shown}: this version does not know ${unknown.join(", ")}, which has no effect`,
      "forgectl profiles set --help",
    );
  }
  if (inJob(context.env) && profiles.size > 0) {
    const names = [...profiles.keys()].join(", ");
    return warn(
      `${names} stored on this runner: not used in a CI job unless --profile or FORGECTL_PROFILE names it`,
      `any job of this runner can read it: delete ${quoted(store.folder)}, or remove it with forgectl profiles remove`,
    );
  }
  if (current === undefined) return ok("none: only flags and environment apply");
  return warn(`the current profile, ${current}, does not exist`, "forgectl profiles use <name>");
}

function checkBaseUrl({ baseUrl, problems }: Config): Finding {
  const wrong = problemIn(problems, ["base_url"]);
  if (wrong !== undefined) return wrong;
  if (baseUrl !== undefined) return ok(`${baseUrl.value} (${baseUrl.source})`);
  const hint = "forgectl auth login, or set FORGECTL_BASE_URL and FORGECTL_TOKEN";
  return { result: "fail", exit: "usage", detail: "no instance is configured", hint };
}

/** The other values and their sources; the files that they name are read. */
async function checkValues({ config, context }: Subject): Promise<Finding> {
  const { given, registryUrl, problems } = config;
  const wrong = problemIn(problems, ["values", "registry_url"]);
  if (wrong !== undefined) return wrong;
  await readTls(config, context.files);
  const all = [...(registryUrl === undefined ? [] : [{ name: "registry-url", ...registryUrl }]), ...given];
  if (all.length === 0) return ok("all are the defaults");
  return ok(all.map(({ name, value, source }) => `${name} ${value} (${source})`).join(", "));
}

/** The problems with these parts of the configuration, as one finding. */
function problemIn(problems: readonly Problem[], about: readonly Problem["about"][]): Finding | undefined {
  const findings = problems
    .filter((problem) => about.includes(problem.about))
    .map(({ failure }) => failed(failure, "forgectl help environment"));
  const [first] = findings;
  return first && { ...first, detail: findings.map(({ detail }) => detail).join("; ") };
}
