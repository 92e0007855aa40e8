import { expect, test } from "vitest";
import { alteringSession, type Exchange } from "../support/altering-proxy.ts";

/** After a lost answer, a user would check whether the change was made. The program does that. */

const isChange = ({ method }: Exchange) => method !== "GET";
const made = "the answer was lost; a check shows that the change was made\n";
const firstAnswerLost = () => {
  let lost = false;
  return alteringSession((exchange) => {
    if (!isChange(exchange) || lost) return undefined;
    lost = true;
    return "lost";
  });
};

test("envs update: sent once, made once, and reported as made", async () => {
  const { run, seen } = await firstAnswerLost();
  const words = "envs update production -p 7 --allow user:6 --approval level:admin=2 --remove-allow 2".split(" ");
  const { code, stdout, stderr } = await run(...words, "-o", "json");
  expect([code, stderr]).toEqual([0, expect.stringContaining(made)]);
  const { deploy_access_levels: levels } = JSON.parse(stdout);
  expect(levels.filter(({ user_id }: { user_id: number }) => user_id === 6)).toHaveLength(1);
  expect(seen.filter((line) => line.startsWith("PUT"))).toEqual([expect.stringMatching(/ lost$/)]);
});

test("a change that was not made is reported as such, and may be run again", async () => {
  const { run } = await alteringSession((exchange) =>
    // A gateway that never forwarded the request looks the same from here.
    isChange(exchange) ? { status: 500, body: { message: "500 Internal Server Error" } } : rulesAsBefore(exchange),
  );
  const { code, stdout, stderr } = await run(..."envs update production -p 7 --allow user:6 -o json".split(" "));
  expect([code, stdout]).toEqual([1, ""]);
  expect(JSON.parse(stderr).error).toMatchObject({
    cause: "the answer was lost",
    outcome_text: "a check shows that the change was not made",
    outcome: null,
    retryable: true,
  });
});

test("a change that is answered with 200 and an error may not have been made", async () => {
  const { run } = await alteringSession((exchange) =>
    isChange(exchange) ? { status: 200, body: { error: "backend unavailable" } } : undefined,
  );
  for (const line of ["relations export -p 7", "artifacts keep 992 -p 7", "artifacts purge -p 7 --yes"]) {
    const { code, stdout, stderr } = await run(...line.split(" "), "-o", "json");
    expect([line, code, stdout, JSON.parse(stderr).error]).toEqual([
      ...[line, 1, ""],
      expect.objectContaining({
        cause: "the answer has status 200, and an error: backend unavailable",
        outcome: "unknown",
        retryable: false,
      }),
    ]);
  }
});

test("a change that a gateway no longer waited for may still be made: a check that does not find it is no proof", async () => {
  const { run } = await alteringSession((exchange) =>
    isChange(exchange) ? { status: 504, body: { message: "timeout" } } : rulesAsBefore(exchange),
  );
  const { code, stderr } = await run(..."envs update production -p 7 --allow user:6 -o json".split(" "));
  expect([code, JSON.parse(stderr).error]).toEqual([
    1,
    expect.objectContaining({
      outcome: "unknown",
      outcome_text: "a check does not show the change, but the instance may still be making it",
      retryable: false,
      hint: expect.stringMatching(/^check before you run it again: forgectl /),
    }),
  ]);
});

function rulesAsBefore({ path, body }: Exchange) {
  if (!path.includes("/protected_environments/production")) return undefined;
  const { deploy_access_levels: levels, ...rest } = body as { deploy_access_levels: { user_id: number }[] };
  return { body: { ...rest, deploy_access_levels: levels.filter(({ user_id }) => user_id !== 6) } };
}

test("if the check fails too, the change stays unknown", async () => {
  const { run } = await alteringSession((exchange) =>
    isChange(exchange) ? "lost" : { status: 403, body: { message: "403 Forbidden" } },
  );
  for (const line of ["envs update production -p 7 --allow user:6", "job-token limit on -p 2"]) {
    const { code, stderr } = await run(...line.split(" "), "-o", "json", "--retries", "1");
    expect([code, JSON.parse(stderr).error]).toEqual([
      11,
      expect.objectContaining({ outcome: "unknown", retryable: false }),
    ]);
  }
});

test("job-token, envs protect, errors disable: each checks", async () => {
  for (const [line, fields] of [
    ["job-token limit on -p 2", '{"inbound_enabled":true,"outbound_enabled":true}'],
    ["job-token projects add 12 -p 8", '{"source_project_id":8,"target_project_id":12}'],
    ["envs protect canary -p 7 --allow level:admin --jq .name", "canary"],
    ["errors disable -p 7 --jq .active", "false"],
  ] as const) {
    const { run, seen } = await firstAnswerLost();
    const format = line.includes("--jq") ? [] : ["-o", "ndjson"];
    const { code, stdout, stderr } = await run(...line.split(" "), ...format);
    const [told, ...more] = stderr.split(/(?<=\n)/);
    expect([code, stdout, told]).toEqual([0, `${fields}\n`, made]);
    expect(more.every((each) => each.startsWith("undo: "))).toBe(true);
    expect(seen.filter((each) => !each.startsWith("GET"))).toHaveLength(1);
  }
});

test("a successful change is not reported as failed if a later read fails", async () => {
  for (const line of ["envs update production -p 7 --allow user:6", "job-token limit on -p 2"]) {
    const { run } = await alteringSession((exchange) =>
      isChange(exchange) ? undefined : { status: 403, body: { message: "403 Forbidden" } },
    );
    const { code, stderr } = await run(...line.split(" "), "-o", "json");
    expect([code, JSON.parse(stderr).error]).toEqual([
      5,
      expect.objectContaining({
        outcome: "made",
        retryable: false,
        message: expect.stringMatching(/^the change was made/),
      }),
    ]);
  }
});

test("envs: names are resolved and shown, each once", async () => {
  const { run, seen } = await alteringSession(() => undefined, { asDeployed: true });
  const words = "envs protect canary -p 7 --allow user:dana.dixon --allow group:acme/mobile+inherited".split(" ");
  const { code, stdout, stderr } = await run(...words, "--approval", "user:dana.dixon=2", "-o", "json");
  const dana = Number(/user dana\.dixon is user (\d+)\n/.exec(stderr)?.[1]);
  expect([code, stderr.replace(/ --base-url \S+/, "")]).toEqual([
    0,
    `user dana.dixon is user ${dana}\ngroup acme/mobile is group 4\nundo: forgectl envs unprotect canary -p 7\n`,
  ]);
  const { deploy_access_levels: levels, approval_rules: rules } = JSON.parse(stdout);
  expect(levels).toMatchObject([{ user_id: dana }, { group_id: 4, group_inheritance_type: 1 }]);
  expect(rules).toMatchObject([{ user_id: dana, required_approvals: 2 }]);
  expect(seen.filter((line) => line.startsWith("GET /api/v4/users"))).toHaveLength(1);
  const set = await run("envs", "update", "canary", "-p", "7", "--set-allow", `${levels[1].id}=user:nobody.at.all`);
  expect([set.code, set.stderr]).toEqual([3, expect.stringContaining('the user "nobody.at.all" was not found')]);
});
