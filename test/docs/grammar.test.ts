import { describe, expect, test } from "vitest";
import { groups } from "../../src/commands/index.ts";
import type { Command, Group } from "../../src/declare/command.ts";
import { argumentTerms, describeFlags, flagTerm } from "../../src/declare/describe.ts";
import { globalFlags } from "../../src/declare/globals.ts";

// The command line that scripts rely on, written by hand, independently of the program. A command may take more than is
// listed here, but not less, and nothing may be renamed. `=` is a flag that takes a value, `=...` one that can be
// repeated.

const pages = "-L,--limit= --page= --per-page=";

const projectParents = "-p,--project= --issue= --snippet= --mr=";
const parents = `${projectParents} -g,--group= --epic=`;
const body = "--body= --body-file= --captcha-response= --spam-log-id=";
const hookFlags = `--name= --description= --events= --branch-filter= --branch-filter-strategy= --ssl-verification
  --token-stdin --token-file= --template-file= --header=...`;

const commitFlags = "-p,--project= -b,--branch= -m,--message= --author-name= --author-email= --start-branch=";
const fileFlags = `${commitFlags} --content= --from= --encoding= --executable --no-executable`;
const artifactFlags = "-p,--project= --job-id= --ref= --job= --job-token-query";

const grammar: Record<string, { args?: string; flags?: string }> = {
  "auth login": { flags: "--token-stdin --token-file= --token-command= --insecure-storage" },
  "auth status": { flags: "--offline" },
  "auth token": {},
  "auth logout": {},
  "profiles list": {},
  "profiles show": { args: "[name]" },
  "profiles use": { args: "<name>" },
  "profiles set": { args: "<name> <key=value...>" },
  "profiles unset": { args: "<name> <key...>" },
  "profiles remove": { args: "<name>" },
  "profiles path": {},
  "job-token get": { flags: "-p,--project=" },
  "job-token limit": { args: "<on|off>", flags: "-p,--project=" },
  "job-token projects list": { flags: `-p,--project= ${pages}` },
  "job-token projects add": { args: "<project-id>", flags: "-p,--project=" },
  "job-token projects remove": { args: "<project-id>", flags: "-p,--project=" },
  "job-token groups list": { flags: `-p,--project= ${pages}` },
  "job-token groups add": { args: "<group-id>", flags: "-p,--project=" },
  "job-token groups remove": { args: "<group-id>", flags: "-p,--project=" },
  "errors settings get": { flags: "-p,--project=" },
  "errors settings set": { flags: "-p,--project= --active= --integrated=" },
  "errors enable": { flags: "-p,--project= --integrated=" },
  "errors disable": { flags: "-p,--project= --integrated=" },
  "errors keys list": { flags: `-p,--project= --reveal ${pages}` },
  "errors keys create": { flags: "-p,--project= --reveal" },
  "errors keys delete": { args: "<key-id...>", flags: "-p,--project=" },
  "errors keys rotate": { args: "<key-id>", flags: "-p,--project= --dsn-file= --reveal --check=" },
  "files get": { args: "<path>", flags: "-p,--project= --ref=" },
  "files stat": { args: "<path>", flags: "-p,--project= --ref= --blame --lines= --raw --lfs" },
  "files cat": { args: "<path>", flags: "-p,--project= --ref= --lfs" },
  "files download": { args: "<path>", flags: "-p,--project= --ref= --lfs -O,--*=" },
  "files blame": { args: "<path>", flags: "-p,--project= --ref= --lines=" },
  "files create": { args: "<path>", flags: fileFlags },
  "files update": { args: "<path>", flags: `${fileFlags} --last-commit-id=` },
  "files put": { args: "<path>", flags: fileFlags },
  "files delete": { args: "<path>", flags: `${commitFlags} --last-commit-id=` },
  "artifacts download": { flags: `${artifactFlags} -O,--*= --extract=` },
  "artifacts cat": { args: "<path>", flags: `${artifactFlags} -O,--*=` },
  "artifacts keep": { args: "<job-id>", flags: "-p,--project=" },
  "artifacts delete": { args: "<job-id...>", flags: "-p,--project=" },
  "artifacts purge": { flags: "-p,--project=" },
  "uploads create": { args: "<file...>", flags: "-p,--project=" },
  "uploads list": { flags: `-p,--project= -g,--group= ${pages}` },
  "uploads download": { args: "<upload>", flags: "-p,--project= -g,--group= -O,--*=" },
  "uploads delete": { args: "<upload...>", flags: "-p,--project= -g,--group=" },
  "relations export": { flags: "-p,--project= --batched --wait --wait-timeout=" },
  "relations status": { flags: "-p,--project= --relation= --watch --wait-timeout=" },
  "relations download": { args: "<relation>", flags: "-p,--project= --batched --batch-number= -O,--*=" },
  "relations pull": { args: "<dir>", flags: "-p,--project= --batched --latest --force --wait-timeout=" },
  "relations verify": { args: "<dir>" },
  "envs list": { flags: `-p,--project= ${pages}` },
  "envs get": { args: "<name>", flags: "-p,--project=" },
  "envs protect": { args: "<name>", flags: "-p,--project= --allow=... --approval=..." },
  "envs update": {
    args: "<name>",
    flags: `-p,--project= --allow=... --approval=... --remove-allow=... --remove-approval=... --set-allow=...
      --set-approval=...`,
  },
  "envs unprotect": { args: "<name>", flags: "-p,--project=" },
  "registry list": { flags: `-p,--project= -g,--group= --tags --tags-count ${pages}` },
  "registry get": { args: "<repository-id>", flags: "--tags --tags-count --size" },
  "registry delete": { args: "<repository-id...>", flags: "-p,--project= --wait" },
  "registry visibility": { args: "<enabled|private|disabled>", flags: "-p,--project=" },
  "registry tags list": { args: "<repository-id>", flags: `-p,--project= ${pages}` },
  "registry tags get": { args: "<repository-id> <tag>", flags: "-p,--project=" },
  "registry tags delete": { args: "<repository-id> <tag...>", flags: "-p,--project=" },
  "registry tags prune": {
    args: "<repository-id>",
    flags: "-p,--project= --delete-regex= --keep-regex= --keep-n= --older-than= --via= --repeat --wait",
  },
  "registry token": { flags: "--scope=..." },
  "registry catalog": { flags: pages },
  "registry manifests delete": { args: "<image> <tag>", flags: "--legacy" },
  "notes list": { flags: `${parents} --sort= --order-by= --activity= ${pages}` },
  "notes get": { args: "<note-id>", flags: parents },
  "notes create": { flags: `${parents} ${body} --internal --created-at= --diff-head-sha=` },
  "notes update": { args: "<note-id>", flags: `${projectParents} ${body} --confidential --no-confidential` },
  "notes delete": { args: "<note-id...>", flags: projectParents },
  "discussions list": { flags: `${parents} ${pages}` },
  "discussions get": { args: "<discussion-id>", flags: parents },
  "discussions create": { flags: `${parents} ${body} --created-at=` },
  "discussions reply": { args: "<discussion-id>", flags: `${projectParents} ${body} --note-id= --created-at=` },
  "discussions update": { args: "<discussion-id> <note-id>", flags: `${projectParents} ${body}` },
  "discussions delete": { args: "<discussion-id> <note-id>", flags: projectParents },
  "discussions resolve": { args: "<discussion-id>", flags: "-p,--project= --mr=" },
  "discussions unresolve": { args: "<discussion-id>", flags: "-p,--project= --mr=" },
  "users list": {
    flags: `--username= --search= --active --external --blocked --humans --created-after= --created-before=
      --exclude-active --exclude-external --exclude-humans --exclude-internal --without-project-bots --extern-uid=
      --provider= --order-by= --sort= --two-factor= --without-projects --admins --auditors --saml-provider-id=
      --skip-ldap --custom-attribute=... --with-custom-attributes --keyset ${pages}`,
  },
  "users get": { args: "<id|username>", flags: "--with-custom-attributes" },
  "users me": { flags: "--sudo=" },
  "events list": {
    flags: `--user= -p,--project= --action= --target-type= --before= --after= --scope= --sort= ${pages}`,
  },
  "saml identities list": { flags: `-g,--group= ${pages}` },
  "saml identities get": { args: "<uid>", flags: "-g,--group=" },
  "saml identities update": { args: "<uid>", flags: "-g,--group= --extern-uid=" },
  "saml identities remap": { flags: "-g,--group= --map= --journal=" },
  "saml identities delete": { args: "<uid>", flags: "-g,--group=" },
  "saml links list": { flags: `-g,--group= ${pages}` },
  "saml links get": { args: "<name>", flags: "-g,--group=" },
  "saml links add": { args: "<name>", flags: "-g,--group= --access-level= --member-role-id=" },
  "saml links remove": { args: "<name>", flags: "-g,--group=" },
  "scim identities list": { flags: `-g,--group= ${pages}` },
  "scim identities get": { args: "<uid>", flags: "-g,--group=" },
  "scim identities update": { args: "<uid>", flags: "-g,--group= --extern-uid=" },
  "scim identities remap": { flags: "-g,--group= --map= --journal=" },
  "scim identities delete": { args: "<uid>", flags: "-g,--group=" },
  "ldap links list": { flags: `-g,--group= ${pages}` },
  "ldap links add": { flags: "-g,--group= --cn= --filter= --provider= --access-level= --member-role-id=" },
  "ldap links remove": { flags: "-g,--group= --cn= --filter= --provider= --legacy" },
  "hooks list": { flags: `-g,--group= ${pages}` },
  "hooks get": { args: "<hook-id>", flags: "-g,--group=" },
  "hooks create": { args: "<url>", flags: `-g,--group= ${hookFlags}` },
  "hooks update": { args: "<hook-id>", flags: `-g,--group= --url= ${hookFlags} --no-token --remove-header=...` },
  "hooks delete": { args: "<hook-id...>", flags: "-g,--group=" },
  "hooks test": { args: "<hook-id>", flags: "-g,--group= --trigger=" },
  "hooks events": { args: "<hook-id>", flags: `-g,--group= --status= --event= ${pages}` },
  "hooks resend": { args: "<hook-id> <event-id...>", flags: "-g,--group=" },
  "hooks redeliver": { args: "<hook-id>", flags: "-g,--group= --status= --trigger= --since= --journal=" },
  "hooks health": { flags: "-g,--group= --exit-code" },
  "hooks listen": { flags: "--port= --token-file= --forward= --save= --count=" },
  "groups export": { flags: "-g,--group= --wait -O,--*= --wait-timeout=" },
  "groups download": { flags: "-g,--group= -O,--*=" },
  "groups import": { args: "<archive>", flags: "--name= --path= --parent-id=" },
  "settings list": { flags: `--search= --changed ${pages}` },
  "settings get": { args: "[name...]" },
  "settings set": { args: "<name=value...>", flags: "--strict --wait --wait-timeout=" },
  "settings explain": { args: "<name>" },
  api: {
    args: "<path>",
    flags: "-X,--method= -f,--*=... -F,--*=... -H,--*=... --input= --paginate -i,--*",
  },
  "completion bash": {},
  "completion zsh": {},
  "completion fish": {},
  "completion powershell": {},
  "completion install": { flags: "--shell= --man" },
  "completion uninstall": { flags: "--shell=" },
  commands: { args: "[words...]", flags: "--schema" },
  man: { args: "[words...]" },
  guide: { args: "[name]" },
  skill: {},
  "sandbox start": { flags: "--port= --data= --latency= --fault=* --tier= --hosting=" },
  "sandbox exec": { args: "<command...>" },
};

const globals = `--profile= --base-url= --registry-url= -o,--output= --fields= --jq= --no-header -n,--dry-run -y,--yes
  --no-input -q,--quiet --debug --ca-file= --timeout= --retries= --concurrency= --color=`;

const choices: Record<string, Record<string, string>> = {
  "registry tags prune": { "--via": "bulk tags" },
  "hooks create": { "--branch-filter-strategy": "wildcard regex all_branches" },
  "files create": { "--encoding": "text base64" },
  "users list": { "--order-by": "id name username created_at updated_at", "--sort": "asc desc" },
  "events list": { "--sort": "asc desc" },
  "saml links add": { "--access-level": "minimal guest planner reporter developer maintainer owner admin" },
  "ldap links add": { "--access-level": "minimal guest planner reporter developer maintainer owner admin" },
  "notes list": { "--sort": "asc desc", "--order-by": "created_at updated_at" },
  "sandbox start": { "--tier": "free premium ultimate", "--hosting": "hosted self-managed" },
};

const nodes = await Promise.all(groups.map((entry) => entry.load()));

function find(path: string): Command | undefined {
  let level: readonly (Command | Group)[] = nodes;
  let found: Command | Group | undefined;
  for (const name of path.split(" ")) {
    found = level.find((node) => node.name === name);
    level = found?.kind === "group" ? found.children : [];
  }
  return found?.kind === "command" ? found : undefined;
}

/** The flags that the command lacks; `*` matches whatever the grammar leaves open. */
function missing(fields: Command["params"], written: string): string[] {
  const terms = describeFlags(fields).flatMap((flag) => {
    const value = flag.placeholder === undefined ? "" : flag.repeatable ? "=..." : "=";
    const term = `${flag.short === undefined ? "" : `${flag.short},`}${flag.long}${value}`;
    return flag.negatable ? [term, `--no-${flag.long.slice(2)}`] : [term];
  });
  return written.split(/\s+/).filter((want) => {
    const pattern = want.replace(/[.]/g, "\\$&").replace("--*", "--[a-z-]+").replace("=*", "=(\\.\\.\\.)?");
    const short = want.startsWith("--") ? "(-.,)?" : "";
    return want !== "" && !terms.some((term) => new RegExp(`^${short}${pattern}$`).test(term));
  });
}

for (const [path, { args = "", flags = "" }] of Object.entries(grammar)) {
  describe(path, () => {
    const command = find(path);
    test("exists", () => {
      expect(command, `forgectl ${path}`).toBeDefined();
    });
    test.runIf(command !== undefined)("has exactly these arguments and flags", () => {
      expect(
        argumentTerms(command?.args ?? {})
          .map(({ term }) => term)
          .join(" "),
      ).toBe(args);
      expect(missing(command?.params ?? {}, flags)).toEqual([]);
      for (const [flag, values] of Object.entries(choices[path] ?? {})) {
        expect(describeFlags(command?.params ?? {}).find(({ long }) => long === flag)?.field.values).toEqual(
          values.split(" "),
        );
      }
    });
  });
}

test("the global flags", () => {
  expect(missing(globalFlags, globals)).toEqual([]);
  expect(describeFlags(globalFlags).map(flagTerm)).toContain("-o, --output <format>");
  expect(globalFlags.output.values).toEqual(["table", "json", "ndjson", "yaml", "csv", "tsv"]);
  expect(globalFlags.color.values).toEqual(["auto", "always", "never"]);
});

test("sandbox exec passes on everything after --", () => {
  expect(find("sandbox exec")?.passThrough).toBe(true);
});
