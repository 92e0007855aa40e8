import { expect, test } from "vitest";
import type { AnyEndpoint } from "../../../src/api/endpoint.ts";
import { switchErrorTracking } from "../../../src/api/endpoints/error-tracking.ts";
import { createHook, updateHook } from "../../../src/api/endpoints/hooks.ts";
import { limitJobTokenScope } from "../../../src/api/endpoints/job-token.ts";
import { createIssueNote } from "../../../src/api/endpoints/notes.ts";
import { updateProtectedEnvironment } from "../../../src/api/endpoints/protected-environments.ts";
import { addSamlLink } from "../../../src/api/endpoints/saml.ts";
import { checkStored } from "../../../src/api/sent-values.ts";
import type { Failure } from "../../../src/base/errors.ts";

function outcomeOf(endpoint: AnyEndpoint, sent: object, answer: unknown, before?: object) {
  try {
    checkStored(endpoint, sent as Record<string, unknown>, answer, before && { before });
    return undefined;
  } catch (error) {
    const { exit, details } = error as Failure;
    return { exit, outcome: details.outcome, reason: details.reason };
  }
}

test.each<[string, AnyEndpoint, object, unknown]>([
  ["a flag that is off is null", createHook, { push_events: false }, { push_events: null }],
  ["an empty text is null", updateHook, { name: "" }, { name: null }],
  ["spaces are trimmed", updateHook, { name: " Chat " }, { name: "Chat" }],
  ["a number is a text", addSamlLink, { access_level: 30 }, { access_level: "30" }],
  ["a level is a name", addSamlLink, { access_level: 30 }, { access_level: "Developer" }],
  [
    "a time has fractions",
    createIssueNote,
    { created_at: "2020-02-02T02:02:02Z" },
    { created_at: "2020-02-02T02:02:02.000Z" },
  ],
  [
    "a time has a zone",
    createIssueNote,
    { created_at: "2020-02-02T02:02:02Z" },
    { created_at: "2020-02-02T03:02:02+01:00" },
  ],
  ["the text is not compared", createIssueNote, { body: "a" }, { body: "b" }],
  ["a field is not in the answer", createIssueNote, { internal: true }, {}],
  ["only the twin is in the answer", createIssueNote, { internal: true }, { confidential: true }],
  ["a secret is masked", updateHook, { token: "x" }, { token: "********" }],
  [
    "headers are kept",
    updateHook,
    { custom_headers: [{ key: "x-a", value: "1" }] },
    { custom_headers: [{ key: "X-A" }, { key: "B" }] },
  ],
  ["it is no object", updateHook, { name: "a" }, "ok"],
  [
    "a user's rule has a level too",
    updateProtectedEnvironment,
    { deploy_access_levels: [{ id: 1, user_id: 3, group_id: null, access_level: null }] },
    { deploy_access_levels: [{ id: 1, user_id: 3, access_level: 40 }] },
  ],
])("no difference: %s", (_, endpoint, sent, answer) => {
  expect(outcomeOf(endpoint, sent, answer)).toBeUndefined();
});

test.each<[AnyEndpoint, object, unknown, string]>([
  [limitJobTokenScope, { enabled: false }, { inbound_enabled: true }, "allow access by the job tokens of all projects"],
  [
    limitJobTokenScope,
    { enabled: true },
    { inbound_enabled: false },
    "restrict access by job tokens to the allowlists",
  ],
  [switchErrorTracking, { active: false }, { active: true }, "turn a project's configured error tracking off"],
  [switchErrorTracking, { active: true }, { active: false }, "turn a project's configured error tracking on"],
])("the headline says which of two directions was asked for", (endpoint, sent, answer, act) => {
  expect(() => checkStored(endpoint, sent as Record<string, unknown>, answer)).toThrow(
    `could not ${act}: the instance accepted the request, and changed nothing`,
  );
});

test.each<[AnyEndpoint, object, unknown, object | undefined, string, string]>([
  [
    updateHook,
    { push_events: true },
    { push_events: false },
    undefined,
    "not_taken",
    "sent push_events true, the instance stored false",
  ],
  [
    updateHook,
    { push_events: true },
    { push_events: null },
    undefined,
    "not_taken",
    "sent push_events true, the instance stored nothing",
  ],
  [
    createHook,
    { push_events: true },
    { push_events: false },
    undefined,
    "altered",
    "sent push_events true, the instance stored false",
  ],
  [
    updateHook,
    { push_events: true, name: "a" },
    { push_events: false, name: "a" },
    undefined,
    "altered",
    "sent push_events true, the instance stored false",
  ],
  [updateHook, { name: "a" }, { name: "b" }, { name: "b" }, "not_taken", "sent name a, the instance stored b"],
  [updateHook, { name: "a" }, { name: "c" }, { name: "b" }, "altered", "sent name a, the instance stored c"],
  [
    addSamlLink,
    { member_role_id: 12 },
    { member_role_id: null },
    undefined,
    "altered",
    "sent member_role_id 12, the instance stored nothing",
  ],
  [
    updateHook,
    { custom_headers: [{ key: "X-A", value: "hidden" }] },
    { custom_headers: [] },
    undefined,
    "altered",
    'sent custom_headers ["X-A"], the instance stored []',
  ],
  [
    updateProtectedEnvironment,
    {
      deploy_access_levels: [
        { id: 13, user_id: null, group_id: null, access_level: 40 },
        { id: 2, access_level: 30, _destroy: true },
      ],
    },
    {
      deploy_access_levels: [
        { id: 13, user_id: 9, access_level: 40 },
        { id: 2, access_level: 30 },
      ],
    },
    undefined,
    "altered",
    "sent deploy_access_levels 13=level:maintainer, the instance stored 13=user:9\n" +
      "sent deploy_access_levels the removal of rule 2, the instance stored 2=level:developer",
  ],
  [
    // A name hides nothing.
    updateProtectedEnvironment,
    { deploy_access_levels: [{ id: 13, access_level: 40 }] },
    { deploy_access_levels: [{ id: 13, user_id: 9, access_level_description: "[hidden]" }] },
    undefined,
    "altered",
    "sent deploy_access_levels 13=level:maintainer, the instance stored 13=user:9",
  ],
])("a difference is named: %#", (endpoint, sent, answer, before, outcome, reason) => {
  expect(outcomeOf(endpoint, sent, answer, before)).toEqual({ exit: "partial", outcome, reason });
});
