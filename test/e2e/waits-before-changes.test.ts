import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tags } from "../../src/sandbox/areas/registry/model.ts";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { type Altered, alteringSession, type Exchange } from "../support/altering-proxy.ts";

// A command looks right before a change, and an instance that limits requests (429) lets the change wait for up to
// minutes: what another user has changed meanwhile counts, as before the look.

type Running = Awaited<ReturnType<typeof alteringSession>>;

interface Case {
  line: string;
  /** The change that is answered 429 at first, as `PUT /path`. */
  limited: RegExp;
  /** What another user does meanwhile. */
  meanwhile?: (running: Running, path: string) => unknown;
  /** Files in the folder of the run, or what prepares them. */
  files?: Readonly<Record<string, string>>;
  before?: (running: Running) => unknown;
  /** The last word of the line, which only the run knows. */
  last?: (running: Running) => Promise<string>;
  alter?: (exchange: Exchange) => Altered;
  /** Seconds of the wait; by default a little more than the second from which on it counts. */
  seconds?: number;
  options?: SandboxOptions;
  /** Exit code, and what the output says. */
  code: number;
  says: RegExp;
  /** What else holds afterwards. */
  after?: (running: Running) => unknown;
}

/** Runs a command whose first matching change must wait, during which another user acts. */
async function waiting({ line, limited, seconds = 1.1, options, ...given }: Case) {
  const state = { isLimited: false };
  const running: Running = await alteringSession(
    (exchange) => (state.isLimited ? given.alter?.(exchange) : undefined),
    options,
    undefined,
    async (method, path) => {
      if (state.isLimited || !limited.test(`${method} ${decodeURIComponent(path)}`)) return undefined;
      state.isLimited = true;
      await given.meanwhile?.(running, path);
      return seconds;
    },
  );
  for (const [name, text] of Object.entries(given.files ?? {})) writeFileSync(join(running.home, name), text);
  await given.before?.(running);
  running.seen.length = 0;
  const last = given.last === undefined ? [] : [await given.last(running)];
  // In front: behind `each --` they would be the inner command's.
  const { code, stdout, stderr } = await running.run("--yes", "-o", "json", ...line.split(" "), ...last);
  return { code, said: stdout + stderr, running, isLimited: state.isLimited };
}

const words = (line: string) => line.split(" ");
const bySandbox = async ({ direct }: Running, line: string) => {
  const { code, stdout, stderr } = await direct.run(...words(line));
  expect([code, stderr.includes("error:")], stderr).toEqual([0, false]);
  return stdout;
};

/** Pushes a tag of a repository again: it points at another image from then on. */
function push({ direct }: Running, path: string): void {
  const name = decodeURIComponent(path.split("/").at(-1) ?? "");
  const table = direct.sandbox.store.table(tags);
  const found = table.find((tag) => tag.repository_id === 12 && tag.name === name);
  expect(found).toBeDefined();
  table.update(found?.id ?? 0, { digest: `sha256:${"0".repeat(64)}` });
}

const rules = "--delete-regex nightly-2.* --keep-n 3";
const aTag = /^DELETE .*\/tags\/nightly-/;
const olivia = "olivia.ortega@acme.example";
const mateo = "mateo.marín@acme.example";
const state = `forgectl: 1
groups:
  acme:
    hooks:
      - name: Pager
        url: https://pager.acme.example/v2/enqueue
        push_events_branch_filter: release/*
`;
const filterOfPager = async (running: Running) =>
  JSON.parse(await bySandbox(running, "hooks get 3 -g acme -o json")).push_events_branch_filter;

const another = /"status": "stale",\s+"error": "the tag points at another image by now/;

const cases: Record<string, Case> = {
  "hooks redeliver sends no event that another run has delivered": {
    line: "hooks redeliver 2 -g acme --limit 1",
    limited: /^POST .*\/resend$/,
    meanwhile: (running, path) => bySandbox(running, `hooks resend 2 ${/events\/(\d+)/.exec(path)?.[1]} -g acme`),
    code: 0,
    says: /"status": "made_good"/,
  },
  "envs update sends back no rule that another user has changed": {
    line: "envs update production -p acme/storefront --set-approval 1=group:4",
    limited: /^PUT .*\/protected_environments\//,
    meanwhile: (running) => bySandbox(running, "envs update production -p 7 --set-approval 1=level:maintainer=5"),
    code: 6,
    says: /changed while the request had to wait/,
  },
  "what undoes envs update restores what another user has set": {
    line: "envs update production -p acme/storefront --set-approval 1=group:4=2",
    limited: /^PUT .*\/protected_environments\//,
    meanwhile: (running) => bySandbox(running, "envs update production -p 7 --set-approval 1=group:4=3"),
    code: 0,
    says: /undo: .*--set-approval=1=group:4=3/,
  },
  "settings set promises nothing back of what another user may have set": {
    line: "settings set first_day_of_week=1",
    limited: /^PUT .*\/settings/,
    meanwhile: (running) => bySandbox(running, "settings set first_day_of_week=6"),
    code: 0,
    says: /^(?![\s\S]*undo:)/,
  },
  "registry prune deletes no tag that was pushed again": {
    line: `registry prune -p 7 --match acme/storefront ${rules} --via tags --concurrency 1`,
    limited: aTag,
    meanwhile: push,
    code: 9,
    says: another,
  },
  "registry tags prune deletes no tag that was pushed again": {
    line: `registry tags prune 12 -p 7 ${rules} --via tags --concurrency 1`,
    limited: aTag,
    meanwhile: push,
    code: 9,
    says: another,
  },
  "registry prune --plan deletes no tag that was pushed again": {
    line: "registry prune --plan plan.json --concurrency 1",
    before: ({ run }) => run(...words(`registry prune -p 7 --match acme/storefront ${rules} --save plan.json`)),
    limited: aTag,
    meanwhile: push,
    code: 9,
    says: another,
  },
  "registry prune deletes no tag that was pushed again while the first deletion waited": {
    line: `registry prune -p 7 --match acme/storefront ${rules} --via tags`,
    limited: aTag,
    meanwhile: (running) => {
      const table = running.direct.sandbox.store.table(tags);
      for (const { id, repository_id, name } of table.all()) {
        if (repository_id === 12 && name.startsWith("nightly-"))
          table.update(id, { digest: `sha256:${"0".repeat(64)}` });
      }
    },
    code: 9,
    says: /"message":"0 of \d+ failed, 11 stale"/,
    after: ({ seen }) => expect(seen.filter((each) => /^DELETE .* 204$|^DELETE .* 200$/.test(each))).toEqual([]),
  },
  ...Object.fromEntries(
    [
      ["saml", "remap", "--map map.csv"],
      ["scim", "remap", "--map map.csv"],
      ["saml", "update", `${olivia} --extern-uid olivia@acme.example`],
      ["scim", "update", `${olivia} --extern-uid olivia@acme.example`],
    ].map(([group, verb, rest]): [string, Case] => [
      `${group} identities ${verb} changes no identity of another user`,
      {
        line: `${group} identities ${verb} -g acme ${rest}`,
        files: { "map.csv": `${olivia},olivia@acme.example\n` },
        limited: /^PATCH /,
        options: { hosting: "hosted" },
        meanwhile: async (running) => {
          await bySandbox(running, `${group} identities update ${olivia} --extern-uid olivia.old -g acme`);
          await bySandbox(running, `${group} identities update ${mateo} --extern-uid ${olivia} -g acme`);
        },
        code: 6,
        says: /not changed: user \d+ no longer has the UID olivia.+user \d+ has it now/s,
        after: async (running) => {
          const listed = await bySandbox(running, `${group} identities list -g acme -L all --jq .[].extern_uid`);
          expect(listed).toContain(`${olivia}\n`);
          expect(listed).not.toContain("olivia@acme.example");
        },
      },
    ]),
  ),
  "state apply overwrites no value of another user": {
    line: "state apply -f state.yaml",
    files: { "state.yaml": state },
    limited: /^PUT .*\/hooks\/3$/,
    meanwhile: (running) => bySandbox(running, "hooks update 3 -g acme --branch-filter secure/*"),
    code: 6,
    says: /"status": "stale"/,
    after: async (running) => expect(await filterOfPager(running)).toBe("secure/*"),
  },
  "state apply finds what another user has applied": {
    line: "state apply -f state.yaml",
    files: { "state.yaml": state },
    limited: /^PUT .*\/hooks\/3$/,
    meanwhile: (running) => bySandbox(running, "hooks update 3 -g acme --branch-filter release/*"),
    code: 0,
    says: /"status": "unchanged"/,
  },
  "state apply makes a change of what is as it was": {
    line: "state apply -f state.yaml",
    files: { "state.yaml": state },
    limited: /^PUT .*\/hooks\/3$/,
    code: 0,
    says: /"status": "done"/,
    after: async (running) => expect(await filterOfPager(running)).toBe("release/*"),
  },
  "notes upsert makes no second note": {
    line: "notes upsert --issue 28 -p 7 --key report --body second",
    limited: /^POST .*\/notes$/,
    meanwhile: (running) => bySandbox(running, "notes upsert --issue 28 -p 7 --key report --body first"),
    code: 0,
    says: /"status": "updated"/,
    after: async (running) => {
      const listed = await bySandbox(running, "notes list --issue 28 -p 7 -L all -o json");
      const own = (JSON.parse(listed) as { body: string }[]).filter(({ body }) => body.includes("forgectl:report"));
      expect(own.map(({ body }) => body.split("\n")[0])).toEqual(["second"]);
    },
  },
  "errors keys rotate deletes no old key whose new one is gone": {
    line: "errors keys rotate 1 -p acme/storefront --dsn-file dsn.txt",
    limited: /^DELETE .*\/client_keys\//,
    meanwhile: (running) => bySandbox(running, "errors keys delete 3 -p acme/storefront --yes"),
    code: 1,
    says: /error tracking key 1 \(old\) works, and 3 \(new\) does not/,
    after: async (running) =>
      expect(await bySandbox(running, "errors keys list -p acme/storefront --jq .[].id")).toContain("1\n"),
  },
  "each changes no other project that has the path": {
    line: "each --projects-file projects.txt -- notes upsert --issue 28 --key report --body all",
    files: { "projects.txt": "acme/storefront\n" },
    limited: /^POST .*\/notes$/,
    alter: ({ method, path, body }) =>
      method === "GET" && path.endsWith("/projects/acme%2Fstorefront")
        ? { body: { ...(body as object), id: 70 } }
        : undefined,
    // A path is believed for ten seconds after the list.
    seconds: 10.5,
    code: 6,
    says: /acme\/storefront is another project by now/,
  },
  "hooks update sends back no URL that another user has changed": {
    line: "hooks update 3 -g acme --branch-filter release/*",
    limited: /^PUT .*\/hooks\/3$/,
    meanwhile: (running) => bySandbox(running, "hooks update 3 -g acme --url https://pager.acme.example/v3 --yes"),
    code: 6,
    says: /hook 3 of group acme: changed while the request had to wait/,
  },
  "settings set sends along no value that another user has changed": {
    line: "settings set throttle_authenticated_web_enabled=true",
    limited: /^PUT .*\/application\/settings$/,
    alter: ({ method, path, body }) => {
      if (method !== "GET" || !path.endsWith("/application/settings")) return undefined;
      return { body: { ...(body as object), throttle_authenticated_web_period_in_seconds: 7 } };
    },
    code: 6,
    says: /throttle_authenticated_web_period_in_seconds must be sent along, and changed while the request had to wait/,
    after: async (running) =>
      expect(await bySandbox(running, "settings get throttle_authenticated_web_enabled")).toContain("false"),
  },
  "files delete --last-commit-id deletes no file that was changed": {
    line: "files delete README.md -p 7 -b main -m Remove --last-commit-id",
    last: async (running) =>
      (await bySandbox(running, "files stat README.md -p 7 --ref main --jq .last_commit_id")).trim(),
    // An instance as deployed compares nothing itself.
    options: { asDeployed: true },
    limited: /^DELETE .*\/files\//,
    meanwhile: (running) => bySandbox(running, "files put README.md -p 7 -b main -m Change --content changed"),
    code: 6,
    says: /the branch moved/,
  },
};

describe("after a wait,", () => {
  test.concurrent.each(Object.entries(cases))("%s", { timeout: 40_000 }, async (_, given) => {
    const { code, said, running, isLimited } = await waiting(given);
    expect(isLimited, said).toBe(true);
    expect([code, said]).toEqual([given.code, expect.stringMatching(given.says)]);
    await given.after?.(running);
  });
});

test.each<[name: string, line: string, change: RegExp, says: RegExp]>([
  ["state apply", "state apply -f state.yaml", /^PUT .*\/hooks\/3$/, /"status": "done"/],
  [
    "registry prune",
    `registry prune -p 7 --match acme/storefront ${rules} --via tags --concurrency 1`,
    aTag,
    /^(?!.*"status": "(?!deleted))/s,
  ],
])("%s takes what its own lost request did for no change of another user", async (_, line, change, says) => {
  let sent = 0;
  const isChange = (method: string, path: string) => change.test(`${method} ${decodeURIComponent(path)}`);
  // The first attempt is made, and its answer lost; the second must wait.
  const { run, home, seen } = await alteringSession(
    ({ method, path }) => (isChange(method, path) && sent === 1 ? { status: 502 } : undefined),
    {},
    undefined,
    (method, path) => (isChange(method, path) && ++sent === 2 ? 1.1 : undefined),
  );
  writeFileSync(join(home, "state.yaml"), state);
  const { code, stdout } = await run(...words(line), "--yes", "-o", "json");
  expect([code, stdout]).toEqual([0, expect.stringMatching(says)]);
  const statuses = seen.filter((each) => !each.startsWith("GET ")).map((each) => each.split(" ").at(-1));
  expect(statuses.slice(0, 2)).toEqual(["502", "429"]);
});
