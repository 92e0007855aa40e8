// Commands that print an undo line, for the tests that run that line.

export interface UndoCase {
  typed: string;
  /** The command that shows the state, which must be the same afterwards. */
  check: string;
  /** Preparatory commands. */
  first?: readonly string[];
  hosting?: "hosted";
  /** The content of file.yaml. */
  file?: string;
  /** `$VISUAL`, which needs a terminal. */
  editor?: string;
}

const storefront = "-p acme/storefront";

const fileOf = (path: string) =>
  `api 'projects/acme%2Fstorefront/repository/files/${path}?ref=main' --jq '[.content,.execute_filemode]'`;
const environment = `envs get production ${storefront}`;
/** A rule that is added again has another ID. */
const rules = "--jq '[.deploy_access_levels,.approval_rules] | map(map(del(.id)) | sort)'";
const mergeRequest = `--mr 19 ${storefront}`;
const notesOf = `notes list ${mergeRequest} --jq 'map({id,body})'`;
const threads = `discussions list ${mergeRequest} --jq 'map([.id,(.notes[]|[.id,.body,.resolved])])'`;
const thread = "9378a9ed97b1266e5499edbf127073497476ca09";
const hook = "hooks get 2 -g acme";

export const undoCases: Readonly<Record<string, UndoCase | readonly UndoCase[]>> = {
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
  "files update": {
    typed: `files update README.md ${storefront} -b main -m x --content "it's new" --executable`,
    check: fileOf("README.md"),
  },
  "files put": [
    { typed: `files put README.md ${storefront} -b main -m x --content new`, check: fileOf("README.md") },
    {
      typed: `files put 'new & new.md' ${storefront} -b main -m x --content new`,
      check: fileOf("new%20%26%20new.md"),
    },
  ],
  "files edit": {
    typed: `files edit README.md ${storefront} -b main`,
    check: fileOf("README.md"),
    editor: "printf new >",
  },
  "files delete": {
    typed: `files delete docs/old.md ${storefront} -b main -m x --yes`,
    check: fileOf("docs%2Fold.md"),
  },
  "envs update": [
    {
      typed: `envs update production ${storefront} --allow user:6 --allow group:4+inherited --approval level:admin=2`,
      check: environment,
    },
    {
      typed: `envs update production ${storefront} --remove-allow 2 --approval user:6`,
      check: `${environment} ${rules}`,
    },
    { typed: `envs update production ${storefront} --set-approval 1=group:4=2`, check: environment },
  ],
  "envs unprotect": {
    typed: `envs unprotect production ${storefront} --yes`,
    check: `${environment} ${rules}`,
  },
  "hooks update": [
    { typed: "hooks update 2 -g acme --events none", check: hook },
    {
      typed:
        "hooks update 2 -g acme --events all,-push --name 'a b' --description x --branch-filter 'x*' " +
        "--branch-filter-strategy regex --no-ssl-verification",
      first: ["hooks update 2 -g acme --description before --branch-filter main --branch-filter-strategy wildcard"],
      check: hook,
    },
  ],
  "notes update": {
    first: [`notes update 300056 ${mergeRequest} --body "$(printf "it's\\n\\n- two lines")"`],
    typed: `notes update 300056 ${mergeRequest} --body new`,
    check: notesOf,
  },
  "notes upsert": [
    { typed: `notes upsert ${mergeRequest} --key new --body new`, check: notesOf },
    {
      first: [`notes upsert ${mergeRequest} --key report --body 'Coverage: 93 %'`],
      typed: `notes upsert ${mergeRequest} --key report --body new`,
      check: notesOf,
    },
  ],
  "discussions reply": {
    typed: `discussions reply ${thread} ${mergeRequest} --body new`,
    check: threads,
  },
  "discussions update": {
    typed: `discussions update ${thread} 300057 ${mergeRequest} --body new`,
    check: threads,
  },
  "discussions resolve": { typed: `discussions resolve ${thread} ${mergeRequest}`, check: threads },
  "discussions unresolve": {
    first: [`discussions resolve ${thread} ${mergeRequest}`],
    typed: `discussions unresolve 9378a ${mergeRequest}`,
    check: threads,
  },
  "errors keys create": {
    typed: `errors keys create ${storefront}`,
    check: `errors keys list ${storefront} --fields id`,
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

const off = "forgectl: 1\nprojects: { acme/storefront: { error_tracking: { active: false, integrated: false } } }";
const tracking = `errors settings get ${storefront}`;
const offered = "after_sign_up_text: Hello";
const signUpText = "settings get after_sign_up_text";

/** Commands whose undo line takes back a whole run. */
export const runCases: Readonly<Record<string, UndoCase>> = {
  "state apply": { file: off, typed: "state apply -f file.yaml --yes", check: tracking },
  "state rollback": {
    file: off,
    first: ["state apply -f file.yaml --yes"],
    typed: "state rollback --yes",
    check: tracking,
  },
  "settings apply": { file: offered, typed: "settings apply -f file.yaml --yes", check: signUpText },
  "settings rollback": {
    file: offered,
    first: ["settings apply -f file.yaml --yes"],
    typed: "settings rollback --yes",
    check: signUpText,
  },
  "settings edit": {
    editor: "sed -i 's/^after_sign_up_text: .*/after_sign_up_text: Hello/'",
    typed: "settings edit --yes",
    check: signUpText,
  },
  "job-token apply": {
    file: "allowlist: [acme/docs]",
    typed: `job-token apply -f file.yaml ${storefront} --yes`,
    check: `job-token projects list ${storefront} --fields id`,
  },
  "envs apply": {
    file: "- { name: canary, deploy_access_levels: [{ access_level: maintainer }] }",
    typed: `envs apply -f file.yaml ${storefront} --yes`,
    check: `envs list ${storefront}`,
  },
  "saml identities remap": {
    file: "old,new\ndana.dixon@acme.example,dana@acme.example\n",
    typed: "saml identities remap -g acme --map file.yaml --yes",
    check: "saml identities list -g acme",
    hosting: "hosted",
  },
  "scim identities remap": {
    file: "old,new\ndana.dixon@acme.example,dana@acme.example\n",
    typed: "scim identities remap -g acme --map file.yaml --yes",
    check: "scim identities list -g acme",
    hosting: "hosted",
  },
};

/** The cases of a command. */
export function casesOf(name: string): readonly UndoCase[] {
  return [undoCases[name] ?? []].flat();
}

/** An undo line with all questions answered, without the remark at its end. */
export function answered(line = ""): string {
  return line
    .replace(/ {3}# .*$/, "")
    .split(" && ")
    .map((each) => `${each} --yes`)
    .join(" && ");
}

/** The undo line of a command, as it would be copied from a terminal. */
export function undoIn(stderr: string): string | undefined {
  return /^undo: forgectl (.*)$/m.exec(stderr)?.[1];
}
