import { execFileSync } from "node:child_process";

// Commands that print an undo line, for the tests that run that line.

export interface UndoCase {
  typed: string;
  /** The command that shows the state, which must be the same afterwards. */
  look: string;
  /** Preparatory commands. */
  first?: readonly string[];
  hosting?: "hosted";
}

const storefront = "-p acme/storefront";

export const undoCases: Readonly<Record<string, UndoCase>> = {
  "job-token projects add": {
    typed: `job-token projects add 9 ${storefront}`,
    look: `job-token projects list ${storefront} --fields id`,
  },
  "job-token projects remove": {
    first: [`job-token projects add 9 ${storefront}`],
    typed: `job-token projects remove 9 ${storefront} --yes`,
    look: `job-token projects list ${storefront} --fields id`,
  },
  "job-token groups add": {
    typed: `job-token groups add 8 ${storefront}`,
    look: `job-token groups list ${storefront} --fields id`,
  },
  "job-token groups remove": {
    first: [`job-token groups add 8 ${storefront}`],
    typed: `job-token groups remove 8 ${storefront} --yes`,
    look: `job-token groups list ${storefront} --fields id`,
  },
  "job-token limit": { typed: `job-token limit off ${storefront} --yes`, look: `job-token get ${storefront}` },
  "saml links add": {
    typed: "saml links add -g acme 'Site Reliability' --access-level maintainer",
    look: "saml links list -g acme",
  },
  "saml links remove": {
    typed: "saml links remove -g acme Engineering --yes",
    look: "saml links list -g acme --jq 'sort_by(.name)'",
  },
  "saml identities update": {
    typed: "saml identities update -g acme dana.dixon@acme.example --extern-uid 'dana & co'",
    look: "saml identities list -g acme",
    hosting: "hosted",
  },
  "scim identities update": {
    typed: "scim identities update -g acme dana.dixon@acme.example --extern-uid '$(dana)'",
    look: "scim identities list -g acme",
    hosting: "hosted",
  },
  "ldap links add": {
    typed: `ldap links add -g acme --filter '(cn=it'"'"'s)' --provider ldapmain --access-level reporter`,
    look: "ldap links list -g acme",
  },
  "ldap links remove": {
    typed: "ldap links remove -g acme --cn engineering --provider ldapmain --yes",
    look: "ldap links list -g acme --jq 'sort_by(.cn, .provider)'",
  },
  "envs protect": {
    typed: `envs protect 'review/app 1' ${storefront} --allow level:maintainer`,
    look: `envs list ${storefront}`,
  },
  "hooks create": {
    typed: "hooks create https://hooks.example.com/in -g acme",
    look: "hooks list -g acme --fields id,url",
  },
  "notes create": {
    typed: `notes create --mr 19 ${storefront} --body 'Fixed.'`,
    look: `notes list --mr 19 ${storefront} --fields id`,
  },
  "discussions create": {
    typed: `discussions create --issue 28 ${storefront} --body 'Shall we?'`,
    look: `discussions list --issue 28 ${storefront} --fields id`,
  },
  "uploads create": {
    typed: `uploads create one.txt two.txt ${storefront}`,
    look: `uploads list ${storefront} --fields id`,
  },
  "files create": {
    typed: `files create 'docs/a b;c.md' ${storefront} -b main -m "Say hello" --content hello`,
    look: `api 'projects/acme%2Fstorefront/repository/files/docs%2Fa%20b%3Bc.md?ref=main' --jq .file_path`,
  },
  "errors settings set": {
    typed: `errors settings set ${storefront} --active false --integrated false`,
    look: `errors settings get ${storefront}`,
  },
  "errors enable": {
    first: [`errors disable ${storefront}`],
    typed: `errors enable ${storefront}`,
    look: `errors settings get ${storefront}`,
  },
  "errors disable": { typed: `errors disable ${storefront}`, look: `errors settings get ${storefront}` },
  "registry visibility": {
    typed: `registry visibility private ${storefront}`,
    look: `projects get acme/storefront --fields container_registry_access_level`,
  },
  "settings set": {
    typed: `settings set signup_enabled=true 'valid_runner_registrars=["group"]' after_sign_up_text="it's so" terminal_max_session_time=77`,
    look: "settings list --fields name,value",
  },
  "profiles use": {
    first: ["profiles set one timeout=1", "profiles set two timeout=2"],
    typed: "profiles use two",
    look: "profiles list --fields name,current",
  },
};

/** The words of a line, split as by a shell. */
export function words(line: string): string[] {
  return execFileSync("sh", ["-c", `printf '%s\\0' ${line}`], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1);
}

/** The undo line of a command, as it would be copied from a terminal. */
export function undoIn(stderr: string): string | undefined {
  return /^undo: forgectl (.*)$/m.exec(stderr)?.[1];
}
