import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSession, type Session } from "./session.ts";

let session: Session;
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.sandbox.close());

const list = "/projects/7/protected_environments";
const protect = (name: string, more: object = {}) =>
  session.ask(`POST ${list}`, { json: { name, deploy_access_levels: [{ access_level: 40 }], ...more } });
const maintainers = {
  access_level: 40,
  access_level_description: "Maintainers",
  user_id: null,
  group_id: null,
  group_inheritance_type: 0,
};

test("an environment is protected, read, and unprotected", async () => {
  const made = await protect("canary/one", { approval_rules: [{ user_id: 2, required_approvals: 3 }] });
  expect([made.status, made.json]).toEqual([
    201,
    {
      name: "canary/one",
      deploy_access_levels: [{ id: expect.any(Number), ...maintainers }],
      required_approval_count: 0,
      approval_rules: [
        {
          id: expect.any(Number),
          access_level: null,
          access_level_description: "Olivia Ortega",
          user_id: 2,
          group_id: null,
          group_inheritance_type: 0,
          required_approvals: 3,
        },
      ],
    },
  ]);
  expect((await session.ask(`GET ${list}/canary%2Fone`)).json).toEqual(made.json);
  expect((await session.ask(`GET ${list}`)).json.map(({ name }: { name: string }) => name)).toEqual([
    "production",
    "staging/eu",
    "canary/one",
  ]);
  expect((await protect("canary/one")).status).toBe(409);
  const since = { "if-unmodified-since": "Mon, 01 Jan 2001 00:00:00 GMT" };
  expect((await session.ask(`DELETE ${list}/canary%2Fone`, { headers: since })).status).toBe(412);
  expect((await session.ask(`DELETE ${list}/canary%2Fone`)).status).toBe(204);
  expect((await session.ask(`GET ${list}/canary%2Fone`)).status).toBe(404);
});

describe("an update", () => {
  test("adds without an id, changes and removes with one", async () => {
    const { json: before } = await protect("update");
    const [{ id: first }] = before.deploy_access_levels;
    const added = await session.ask(`PUT ${list}/update`, { json: { deploy_access_levels: [{ user_id: 4 }] } });
    expect(added.status).toBe(200);
    const [, { id: second }] = added.json.deploy_access_levels;
    const changed = await session.ask(`PUT ${list}/update`, {
      json: {
        deploy_access_levels: [
          { id: first, _destroy: true },
          { id: second, group_id: 4 },
        ],
      },
    });
    expect(changed.json.deploy_access_levels).toEqual([
      {
        id: second,
        access_level: null,
        access_level_description: "Mobile",
        user_id: null,
        group_id: 4,
        group_inheritance_type: 0,
      },
    ]);
  });

  test("changes only the approvals if no kind is given", async () => {
    const { json } = await protect("approvals", { approval_rules: [{ access_level: 40 }] });
    const [rule] = json.approval_rules;
    expect(rule.required_approvals).toBe(1);
    const changed = await session.ask(`PUT ${list}/approvals`, {
      json: { approval_rules: [{ id: rule.id, required_approvals: 2 }] },
    });
    expect(changed.json.approval_rules).toEqual([{ ...rule, required_approvals: 2 }]);
  });

  test("changes nothing if one element is invalid, and always keeps someone who can deploy", async () => {
    const { json } = await protect("all-or-nothing");
    const [{ id }] = json.deploy_access_levels;
    const half = { deploy_access_levels: [{ user_id: 4 }], approval_rules: [{ user_id: 8 }] };
    expect((await session.ask(`PUT ${list}/all-or-nothing`, { json: half })).json).toEqual({
      message: { approval_rules: { user_id: ["must have access to the project"] } },
    });
    const emptying = { deploy_access_levels: [{ id, _destroy: true }] };
    expect((await session.ask(`PUT ${list}/all-or-nothing`, { json: emptying })).status).toBe(400);
    expect((await session.ask(`GET ${list}/all-or-nothing`)).json).toEqual(json);
  });
});

test.each([
  [{ user_id: 4, access_level: 40 }, { base: ["must hold exactly one of user_id, group_id, and access_level"] }],
  [{}, { base: ["must hold exactly one of user_id, group_id, and access_level"] }],
  [{ user_id: 8 }, { user_id: ["must have access to the project"] }],
  [{ user_id: 9999 }, { user_id: ["must have access to the project"] }],
  [{ group_id: 1 }, { group_id: ["must have the project shared with it"] }],
  [{ access_level: 35 }, { access_level: ["is not included in the list"] }],
  [{ id: 1, user_id: 4 }, { id: ["does not exist"] }],
  [{ _destroy: true }, { id: ["can't be blank"] }],
  [{ user_id: 4, group_inheritance_type: 2 }, { group_inheritance_type: ["must be less than or equal to 1"] }],
])("the element %j is refused", async (element, errors) => {
  const answer = await protect("refused", { deploy_access_levels: [element] });
  expect([answer.status, answer.json]).toEqual([400, { message: { deploy_access_levels: errors } }]);
  expect((await session.ask(`GET ${list}/refused`)).status).toBe(404);
});

test("the list of deployers is required, and not empty", async () => {
  expect((await session.ask(`POST ${list}`, { json: { name: "x" } })).json).toEqual({
    message: '400 (Bad request) "deploy_access_levels" not given',
  });
  expect((await protect("x", { deploy_access_levels: [] })).status).toBe(400);
});

test("requires Maintainer, and a tier that has it", async () => {
  expect((await session.ask(`GET ${list}`, { as: "maintainer" })).status).toBe(200);
  expect((await session.ask(`GET ${list}`, { as: "developer" })).status).toBe(403);
  const free = await openSession({ tier: "free" });
  expect((await free.ask(`GET ${list}`)).status).toBe(404);
  await free.sandbox.close();
  const premium = await openSession({ tier: "premium" });
  expect((await premium.ask(`GET ${list}`)).status).toBe(200);
  await premium.sandbox.close();
});
