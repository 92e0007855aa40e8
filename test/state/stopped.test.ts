import { beforeAll, describe, expect, test } from "vitest";
import { seeded, shuffled } from "../support/random-state.ts";
import type { Session } from "../support/session.ts";
import { stateTrials } from "../support/state-trial.ts";
import type { Moment } from "../support/stopping-proxy.ts";

// Ctrl-C or a kill at any request of an apply, of its verification, or of a rollback leaves what `state rollback`
// undoes to its end. Seeded: FORGECTL_KILLS=60 stops more often, FORGECTL_FUZZ_SEED at other requests.

const kills = Number(process.env.FORGECTL_KILLS ?? 2);
const seed = Number(process.env.FORGECTL_FUZZ_SEED ?? 13);

/** Something of every kind, created, changed, replaced, and removed; settings in two parts, the second one last. */
const file = `forgectl: 1
settings: { terminal_max_session_time: 60, globally_allowed_ips: "192.0.2.0/24", max_attachment_size: 77 }
groups:
  acme:
    hooks:
      - { name: Chat, url: "https://chat.acme.example/hooks/{channel}", events: [push, wiki_page] }
      - { name: Deploys, url: "https://deploys.acme.example/webhook", description: Deploys main., events: [push] }
    saml_group_links:
      - { name: Engineering, access_level: owner }
      - { name: Newcomers, access_level: guest }
      - { name: Platform Leads, access_level: maintainer }
      - { name: Contractors/EMEA, access_level: reporter }
    ldap_group_links: [{ cn: qa, provider: ldapmain, group_access: reporter }]
  acme/platform:
    hooks: [{ name: New, url: "https://new.acme.example/", events: [push] }]
projects:
  acme/storefront:
    container_registry_access_level: private
    job_token_scope: { allowlist: [2, 3, 5], groups_allowlist: [1] }
    protected_environments:
      - { name: production, deploy_access_levels: [{ access_level: maintainer }, { user_id: 5 }] }
      - { name: review, deploy_access_levels: [{ access_level: developer }] }
    error_tracking: { active: false, integrated: true }
  acme/docs:
    job_token_scope: { inbound_enabled: true, allowlist: [1, 3] }
`;

const apply = [..."state apply -f state.yaml --prune --max-delete all --yes --concurrency 1".split(" ")];
const rollback = [..."state rollback --yes --concurrency 1".split(" ")];

let at: Awaited<ReturnType<typeof stateTrials>>;
/** The requests of an apply and of its rollback that nothing stops. */
const whole: Record<"apply" | "rollback", string[]> = { apply: [], rollback: [] };

beforeAll(async () => {
  at = await stateTrials();
  const place = at.ready(file);
  for (const [name, words] of [
    ["apply", apply],
    ["rollback", rollback],
  ] as const) {
    const { code, requests, stderr } = await at.run(place, words);
    expect(code, stderr).toBe(0);
    whole[name] = requests;
  }
});

const isRead = (line: string) => line.startsWith("GET ");
const indexes = (requests: readonly string[], from = 0) => [...requests.keys()].slice(from);

/** Moments at these requests, the same for the same seed. */
function momentsAt(requests: readonly number[], salt: number): Moment[] {
  const all = requests.flatMap((number) =>
    (["before", "after"] as const).flatMap((when) =>
      (["SIGINT", "SIGKILL"] as const).map((what): Moment => ({ at: number, when, what })),
    ),
  );
  return shuffled(seeded(seed + salt), all).slice(0, kills);
}

async function expectRestored(place: Session, moment: Moment, before: string) {
  const words = JSON.stringify(moment);
  const back = await place.run(...rollback);
  expect(back.code, `${words}: ${back.stderr}`).toBe(0);
  expect(await at.exported(), words).toBe(before);
  expect((await place.run(...rollback)).code, words).toBe(0);
  expect(await at.exported(), words).toBe(before);
}

describe("an apply that is stopped", () => {
  test.each([
    ["at any request", 1, () => indexes(whole.apply)],
    [
      "while it looks at what it has sent",
      2,
      () => {
        const first = whole.apply.findIndex((line) => !isRead(line));
        return indexes(whole.apply, first).filter((number) => isRead(whole.apply[number] as string));
      },
    ],
  ] as const)("%s is undone by state rollback", { timeout: 60_000 + kills * 10_000 }, async (_, salt, requests) => {
    for (const moment of momentsAt(requests(), salt)) {
      const place = at.ready(file);
      const before = await at.exported();
      const stopped = await at.run(place, apply, moment);
      if (moment.what === "SIGKILL") expect(stopped.code).toBe(null);
      await expectRestored(place, moment, before);
    }
  });
});

test("a rollback that is stopped is finished by the same command", { timeout: 60_000 + kills * 10_000 }, async () => {
  for (const moment of momentsAt(indexes(whole.rollback), 3)) {
    const place = at.ready(file);
    const before = await at.exported();
    expect((await at.run(place, apply)).code).toBe(0);
    expect(await at.exported()).not.toBe(before);
    await at.run(place, rollback, moment);
    await expectRestored(place, moment, before);
  }
});
