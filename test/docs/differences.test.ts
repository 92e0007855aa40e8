import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { differences } from "../../src/api/differences.ts";

const folder = new URL("../e2e/deployed/", import.meta.url);

/** The sessions of a file, each with the file's first lines. */
function sessionsIn(name: string): string[] {
  const [head, ...tests] = readFileSync(new URL(name, folder), "utf8").split(/^(?=test(?:\.\w+)?\()/m);
  return tests.map((text) => `${text}\n${head}`);
}

test("each known difference between documents and instances has a session against --as-deployed", () => {
  const sessions = readdirSync(folder).flatMap(sessionsIn);
  const ids = differences.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const isPlayed = (id: string) =>
    sessions.some((text) => text.includes(`"${id}`) && text.includes("asDeployed: true"));
  expect(ids.filter((id) => !isPlayed(id))).toEqual([]);
});

/** Why `doctor --api`, which asks each documented GET once and prints no values, cannot show a difference. */
const unseen: Readonly<Record<string, readonly string[]>> = {
  "only a change shows it": [
    ...["numeric-project-id", "job-token-limit-enforced", "job-token-list-limit", "artifacts-while-counted"],
    ...["purge-takes-kept", "deleted-object-shown"],
    ...[
      "export-reused",
      "export-queued",
      "error-settings-refusal",
      "integrated-tracking-off",
      "hook-new-url",
      "hook-headers-merged",
    ],
    ...["hook-delete-and-test", "hook-records", "hook-test-kinds", "upload-missing", "settings-passed-over"],
    ...["settings-companions-sent", "uids-without-case", "saml-link-role", "commit-refusal-sentence"],
    ...["delete-guard-ignored", "note-internal-renamed", "note-visibility-fixed", "protected-rule-subject"],
    ...["protected-rule-defaults", "comment-not-resolvable", "registry-protected-tags", "group-export-per-user"],
    ...[
      "lfs-stored-as-pointer",
      "commands-delete-note",
      "commands-in-text",
      "line-breaks-stored-as-lf",
      "update-guard-passes",
    ],
    ...["registry-missing-tag", "registry-push-token", "protected-rule-dropped", "environment-dots"],
    ...["settings-hash-replaced", "waiting-accounts-approved", "settings-taken-in-megabytes"],
    "settings-all-protocols",
    "settings-group-path",
    "settings-computed",
    ...["settings-changed-along", "hook-filter-dropped", "saml-link-unshown", "branch-removed-along"],
    ...[
      "ldap-members-stay",
      "job-token-entry-refusals",
      "job-token-unseen-entries",
      "saml-uid-untrusted",
      "settings-that-delete",
      "settings-written-below",
    ],
    ...["terms-stored-first", "links-remove-members", "note-in-any-discussion", "resolving-merges"],
    ...[
      "approvals-end-with-rule",
      "branch-unprotected-by-all",
      "deployments-approve-themselves",
      "link-dots",
      "raw-in-artifacts",
    ],
  ],
  "a request that the documents lack: its row says whether it is as expected": [
    ...["project-and-group-lookup", "projects-of-many", "hooks-and-branches-of-projects", "release-and-own-token"],
    ...["artifacts-not-found", "merge-request-discussions", "branch-custom-roles"],
  ],
  "a parameter that an examination does not send": [
    ...["artifacts-of-recent-pipelines", "relation-status-object", "user-filters-dropped", "notes-activity-filter"],
    ...["registry-last-push", "offset-limit", "artifacts-tree", "no-dots-in-paths"],
    ...["events-of-all-projects", "events-of-other-types", "short-words"],
  ],
  "only values show it, or the content of a file": [
    ...["relation-archives", "hook-server-failure", "settings-with-two-names", "job-as-an-object"],
    ...[
      "hook-disabled-before",
      "hook-disabled-unrecorded",
      "notes-in-threads",
      "text-shown-converted",
      "settings-old-name-unshown",
      "approval-count-ignored",
    ],
  ],
  "it needs another project, another token, or more objects than one": [
    ...["job-token-ignored", "job-token-permissions", "registry-tag-search", "rate-limit-without-time"],
    "registry-most-tags",
    ...["tag-before-branch", "blocked-users-hidden", "events-counted-to", "events-hidden"],
    "commands-not-applied",
  ],
};

test("a difference is seen in an answer, or there is a reason why not", () => {
  const without = differences.filter(({ seenIn }) => seenIn === undefined).map(({ id }) => id);
  expect(Object.values(unseen).flat().sort()).toEqual(without.sort());
});
