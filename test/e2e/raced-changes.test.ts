import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { alteringSession } from "../support/altering-proxy.ts";
import { attack } from "../support/attack.ts";
import { runLine } from "../support/shell.ts";
import { snapshotOf } from "../support/snapshot.ts";

// Another user changes the same object at each moment of a run. The state at the end is that of one of the two orders,
// or the run fails and the other's change is there: no change is lost while the run says that all is well. The only
// moment that is left out is the one between a change and the read right before it: the API has no request for that.

interface Race {
  readonly line: string;
  readonly options?: SandboxOptions;
  readonly files?: Readonly<Record<string, string>>;
  /** Preparatory commands. */
  readonly before?: readonly string[];
  /** What the other user does, in one request. */
  readonly other: readonly [method: string, path: string, body?: object];
  /** What shows the object that both change. */
  readonly check: string;
}

const project = "projects/7";
const state = (sections: string) => ({ "state.yaml": `forgectl: 1\n${sections}\n` });
const storefront = (sections: string) => state(`projects: { acme/storefront: { ${sections} } }`);
const apply = "state apply -f state.yaml --yes --concurrency 1";
const environment =
  "envs get production -p 7 --jq '[.deploy_access_levels,.approval_rules] | map(map(del(.id)) | sort)'";
const settings = "settings get first_day_of_week max_attachment_size terminal_max_session_time";
const theirSettings = ["PUT", "application/settings", { first_day_of_week: 6, terminal_max_session_time: 61 }] as const;
const hookNames = "hooks list -g acme --jq 'map([.name, .url, .push_events, .note_events])'";
const hooks = state(`groups:
  acme:
    hooks:
      - { url: "https://chat.acme.example/hooks/{channel}", name: Chat, events: [note] }
      - { url: "https://deploys.acme.example/webhook", name: Deploys, events: [note] }
      - { url: "https://pager.acme.example/v2/enqueue", name: Pager, events: [note] }`);

const races: readonly Race[] = [
  {
    line: "hooks update 1 -g acme --events -push,wiki_page --name mine",
    other: ["PUT", "groups/acme/hooks/1", { url: "https://hooks.example.com/theirs", note_events: true }],
    check: "hooks get 1 -g acme",
  },
  {
    line: "envs update production -p 7 --allow user:6 --set-approval 1=group:4=3",
    other: ["PUT", `${project}/protected_environments/production`, { deploy_access_levels: [{ access_level: 40 }] }],
    check: environment,
  },
  {
    line: "settings set first_day_of_week=1 max_attachment_size=3",
    other: theirSettings,
    check: settings,
  },
  {
    line: "notes upsert --mr 19 -p 7 --key report --body mine",
    before: ["notes upsert --mr 19 -p 7 --key report --body old"],
    other: ["POST", `${project}/merge_requests/19/notes`, { body: "theirs" }],
    check: "notes list --mr 19 -p 7 --jq 'map(.body) | sort'",
  },
  {
    line: "files put README.md -p 7 -b main -m x --content mine",
    other: ["PUT", `${project}/repository/files/README.md`, { branch: "main", commit_message: "x", content: "theirs" }],
    check: "files cat README.md -p 7",
  },
  {
    line: "errors keys rotate 1 -p 7 --dsn-file dsn.txt --yes",
    other: ["DELETE", `${project}/error_tracking/client_keys/3`],
    check: "errors keys list -p 7 --jq 'map(.id)'",
  },
  {
    line: "uploads prune -p 7 --older-than 30d --yes --concurrency 1",
    other: ["DELETE", `${project}/uploads/2`],
    check: "uploads list -p 7 --jq 'map(.id)'",
  },
  {
    line: "registry tags prune 12 -p 7 --delete-regex 'v1.*' --via tags --yes --concurrency 1",
    other: ["DELETE", `${project}/registry/repositories/12/tags/v1.4.0`],
    check: "registry tags list 12 -p 7 -L all --jq 'map(.name)'",
  },
  {
    line: "saml identities remap -g acme --map map.csv --yes --concurrency 1",
    options: { hosting: "hosted" },
    files: {
      "map.csv": "olivia.ortega@acme.example,mateo.marín@acme.example\nmateo.marín@acme.example,mine@acme.example\n",
    },
    other: ["PATCH", "groups/acme/saml/dana.dixon@acme.example", { extern_uid: "theirs@acme.example" }],
    check: "saml identities list -g acme -L all --jq 'map([.user_id, .extern_uid]) | sort'",
  },
  {
    line: `${apply} --prune`,
    files: storefront("job_token_scope: { allowlist: [acme/website, acme/docs] }"),
    other: ["POST", `${project}/job_token_scope/allowlist`, { target_project_id: 14 }],
    check: "job-token projects list -p 7 --jq 'map(.id) | sort'",
  },
  {
    line: apply,
    files: storefront("job_token_scope: { inbound_enabled: false }, error_tracking: { active: false }"),
    other: ["PUT", `${project}/error_tracking/settings`, { active: true, integrated: false }],
    check: "errors settings get -p 7",
  },
  {
    line: apply,
    files: hooks,
    other: ["PUT", "groups/acme/hooks/2", { url: "https://hooks.example.com/theirs", wiki_page_events: true }],
    check: "hooks get 2 -g acme",
  },
  {
    line: `${apply} --prune`,
    files: state("groups: { acme: { saml_group_links: [{ name: Engineering, access_level: guest }] } }"),
    other: ["POST", "groups/acme/saml_group_links", { saml_group_name: "Theirs", access_level: 40 }],
    check: "saml links list -g acme --jq 'map([.name, .access_level]) | sort'",
  },
  {
    line: apply,
    files: storefront(
      "protected_environments: [{ name: production, deploy_access_levels: [{ access_level: maintainer }] }]",
    ),
    other: ["PUT", `${project}/protected_environments/production`, { deploy_access_levels: [{ user_id: 6 }] }],
    check: environment,
  },
  {
    line: apply,
    files: storefront("protected_branches: [{ name: 'release/*', allow_force_push: true }]"),
    other: ["PATCH", `${project}/protected_branches/release%2F*`, { allowed_to_push: [{ access_level: 40 }] }],
    check:
      "api projects/7/protected_branches --jq 'map([.name,.allow_force_push,[.push_access_levels[].access_level]])'",
  },
  {
    line: apply,
    files: state("settings: { first_day_of_week: 1, max_attachment_size: 78 }"),
    other: theirSettings,
    check: settings,
  },
  {
    line: apply,
    files: hooks,
    other: ["DELETE", "groups/acme/hooks/2"],
    check: hookNames,
  },
  {
    line: apply,
    files: storefront(
      "protected_environments: [{ name: production, deploy_access_levels: [{ access_level: maintainer }] }]",
    ),
    other: ["DELETE", `${project}/protected_environments/production`],
    check: "envs list -p 7 --jq 'map(.name)'",
  },
  {
    line: `${apply} --prune`,
    files: state("groups: { acme: { saml_group_links: [{ name: Engineering, access_level: guest }] } }"),
    other: ["DELETE", "groups/acme/saml_group_links/Engineering"],
    check: "saml links list -g acme --jq 'map([.name, .access_level]) | sort'",
  },
  {
    line: apply,
    files: state("groups: { acme: { ldap_group_links: [{ cn: leads, provider: ldapmain, group_access: guest }] } }"),
    other: ["DELETE", "groups/acme/ldap_group_links/ldapmain/leads"],
    check: "ldap links list -g acme --jq 'map([.cn, .provider, .group_access]) | sort'",
  },
  {
    line: "notes upsert --mr 19 -p 7 --key report --body mine",
    before: ["notes upsert --mr 19 -p 7 --key report --body old"],
    other: ["DELETE", `${project}/merge_requests/19/notes/310368`],
    check: "notes list --mr 19 -p 7 --jq 'map(.body) | sort'",
  },
  {
    line: "envs update production -p 7 --allow user:6 --set-approval 1=group:4=3",
    other: ["DELETE", `${project}/protected_environments/production`],
    check: "envs list -p 7 --jq 'map(.name)'",
  },
  {
    line: "state rollback --yes --concurrency 1",
    files: hooks,
    before: [apply],
    other: ["DELETE", "groups/acme/hooks/2"],
    check: hookNames,
  },
  {
    line: "state rollback --yes --concurrency 1",
    files: state("settings: { first_day_of_week: 1, max_attachment_size: 78 }"),
    before: [apply],
    other: theirSettings,
    check: settings,
  },
];

const all = process.env.FORGECTL_TEST_READS === "all";
const seed = Number(process.env.FORGECTL_TEST_SEED ?? Date.now() % 1_000_000);
const attempts = attack(races.length);
afterAll(() => {
  if (!all) process.stderr.write(`raced changes: FORGECTL_TEST_SEED=${seed}\n`);
});

describe("in any order, no change is lost", { timeout: 120_000 }, () => {
  test.each(races)("$line ($check)", async (race) => {
    const trial = await trialOf(race);
    await trial.prepare();
    await trial.act();
    const theirs = await trial.end();
    const afterTheirs = await trial.runAt("before");
    const alone = await trial.runAt(undefined);
    expect(alone, alone.stderr).toMatchObject({ code: 0 });
    await trial.act();
    const orders = [afterTheirs.end, await trial.end()];
    const moments = [...alone.sent.keys()].filter(
      (index) => !(isRead(alone.sent[index]) && !isRead(alone.sent[index + 1])),
    );
    for (const moment of attempts.cells(moments.filter((index) => all || (index + seed) % 16 === 0))) {
      const { code, stderr, end } = await trial.runAt(moment);
      const shown = JSON.stringify({ moment, sent: alone.sent, code, stderr });
      expect(code === 0 ? orders : [...orders, theirs], shown).toContain(end);
    }
  });
});

/** The end counts as a read: nothing is sent after it. */
const isRead = (method = "GET") => method === "GET" || method === "HEAD";

/** An instance on which a race can be run again and again. */
async function trialOf({ line, options, files = {}, before = [], other, check }: Race) {
  let moment: number | undefined;
  let sent: string[] = [];
  const admin = await alteringSession(async ({ method }) => {
    sent.push(method);
    if (sent.length - 1 === moment) await act();
    return undefined;
  }, options);
  const { sandbox } = admin.direct;
  const act = async () => {
    const [method, path, body] = other;
    const headers = { "private-token": sandbox.tokens.administrator, "content-type": "application/json" };
    await fetch(`${sandbox.url}/api/v4/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(admin.home, name), content);
  const restore = await snapshotOf(sandbox);
  const prepare = async () => {
    restore();
    rmSync(join(admin.home, "dsn.txt"), { force: true });
    for (const each of before) expect(await runLine(admin, each)).toMatchObject({ code: 0 });
  };
  const end = async () => (await runLine(admin.direct, check)).stdout;
  return {
    prepare,
    act,
    end,
    /** Runs the line while the other user acts after its request of this index, or before the first one. */
    async runAt(index: number | "before" | undefined) {
      await prepare();
      sent = [];
      if (index === "before") await act();
      else moment = index;
      const { code, stderr } = await runLine(admin, line);
      moment = undefined;
      return { code, stderr, sent: [...sent], end: await end() };
    },
  };
}
