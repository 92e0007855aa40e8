// Commands that print an undo line, for the tests that run that line.

export interface UndoCase {
  typed: string;
  /** The command that shows the state, which must be the same afterwards. */
  check: string;
  /** Preparatory commands. */
  first?: readonly string[];
  hosting?: "hosted";
}

const storefront = "-p acme/storefront";

export const undoCases: Readonly<Record<string, UndoCase>> = {
  "job-token projects add": {
    typed: `job-token projects add 9 ${storefront}`,
    check: `job-token projects list ${storefront} --fields id`,
  },
  "job-token projects remove": {
    first: [`job-token projects add 9 ${storefront}`],
    typed: `job-token projects remove 9 ${storefront} --yes`,
    check: `job-token projects list ${storefront} --fields id`,
  },
  "job-token groups add": {
    typed: `job-token groups add 8 ${storefront}`,
    check: `job-token groups list ${storefront} --fields id`,
  },
  "job-token groups remove": {
    first: [`job-token groups add 8 ${storefront}`],
    typed: `job-token groups remove 8 ${storefront} --yes`,
    check: `job-token groups list ${storefront} --fields id`,
  },
  "job-token limit": { typed: `job-token limit off ${storefront} --yes`, check: `job-token get ${storefront}` },
  "saml links add": {
    typed: "saml links add -g acme 'Site Reliability' --access-level maintainer",
    check: "saml links list -g acme",
  },
  "saml links remove": {
    typed: "saml links remove -g acme Engineering --yes",
    check: "saml links list -g acme --jq 'sort_by(.name)'",
  },
  "saml identities update": {
    typed: "saml identities update -g acme dana.dixon@acme.example --extern-uid 'dana & co'",
    check: "saml identities list -g acme",
    hosting: "hosted",
  },
  "scim identities update": {
    typed: "scim identities update -g acme dana.dixon@acme.example --extern-uid '$(dana)'",
    check: "scim identities list -g acme",
    hosting: "hosted",
  },
  "ldap links add": {
    typed: `ldap links add -g acme --filter '(cn=it'"'"'s)' --provider ldapmain --access-level reporter`,
    check: "ldap links list -g acme",
  },
  "ldap links remove": {
    typed: "ldap links remove -g acme --cn engineering --provider ldapmain --yes",
    check: "ldap links list -g acme --jq 'sort_by(.cn, .provider)'",
  },
  "envs protect": {
    typed: `envs protect 'review/app 1' ${storefront} --allow level:maintainer`,
    check: `envs list ${storefront}`,
  },
  "hooks create": {
    typed: "hooks create https://hooks.example.com/in -g acme",
    check: "hooks list -g acme --fields id,url",
  },
  "notes create": {
    typed: `notes create --mr 19 ${storefront} --body 'Fixed.'`,
    check: `notes list --mr 19 ${storefront} --fields id`,
  },
  "discussions create": {
    typed: `discussions create --issue 28 ${storefront} --body 'Shall we?'`,
    check: `discussions list --issue 28 ${storefront} --fields id`,
  },
  "uploads create": {
    typed: `uploads create one.txt two.txt ${storefront}`,
    check: `uploads list ${storefront} --fields id`,
  },
  "files create": {
    typed: `files create 'docs/a b;c.md' ${storefront} -b main -m "Say hello" --content hello`,
    check: `api 'projects/acme%2Fstorefront/repository/files/docs%2Fa%20b%3Bc.md?ref=main' --jq .file_path`,
  },
  "errors settings set": {
    typed: `errors settings set ${storefront} --active false --integrated false`,
    check: `errors settings get ${storefront}`,
  },
  "errors enable": {
    first: [`errors disable ${storefront}`],
    typed: `errors enable ${storefront}`,
    check: `errors settings get ${storefront}`,
  },
  "errors disable": { typed: `errors disable ${storefront}`, check: `errors settings get ${storefront}` },
  "registry visibility": {
    typed: `registry visibility private ${storefront}`,
    check: `projects get acme/storefront --fields container_registry_access_level`,
  },
  "settings set": {
    typed: `settings set signup_enabled=true 'valid_runner_registrars=["group"]' after_sign_up_text="it's so" terminal_max_session_time=77`,
    check: "settings list --fields name,value",
  },
  "profiles use": {
    first: ["profiles set one timeout=1", "profiles set two timeout=2"],
    typed: "profiles use two",
    check: "profiles list --fields name,current",
  },
};

/** The undo line of a command, as it would be copied from a terminal. */
export function undoIn(stderr: string): string | undefined {
  return /^undo: forgectl (.*)$/m.exec(stderr)?.[1];
}
