import { id } from "../field.ts";

/**
 * The parents of notes and discussions (`2-collaboration-identity-api: Notes`), as parameters of a path and, under
 * another name, as flags. Issues and merge requests are named by IID, snippets and epics by ID.
 */
export const issue_iid = id("Issue, by its IID in the project", {
  flag: "issue",
  placeholder: "iid",
  within: "project",
});
export const merge_request_iid = id("Merge request, by its IID in the project", {
  flag: "mr",
  placeholder: "iid",
  within: "project",
});
export const snippet_id = id("Project snippet, by its ID", { flag: "snippet", placeholder: "id", within: "project" });
export const epic_id = id("Epic, by its ID (not its IID) in the group; the API of epics is deprecated", {
  flag: "epic",
  placeholder: "id",
  within: "group",
});

/** Where epics exist. The IID of one epic may be the ID of another. */
export const epicAccess = {
  tier: "premium",
  notFound: "an epic is identified by its ID here, not by the IID in its URL",
} as const;
