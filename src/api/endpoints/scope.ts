import { string } from "../field.ts";

/** The scope flags: a path is sent URL-encoded as one segment (`1-project-api: Common conventions`). */
export const project = string("Project, by ID, path, or web address", {
  short: "p",
  scope: "project",
  placeholder: "id|path",
  completes: "project",
});
export const group = string("Group, by ID, path, or web address", {
  short: "g",
  scope: "group",
  placeholder: "id|path",
  completes: "group",
});
