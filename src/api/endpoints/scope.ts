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

/** A text that selects: instances ignore a blank one, and take everything, or another object than the one meant. */
export const selecting = {
  min: 1,
  pattern: { test: /\S/, words: "more than spaces, which instances ignore" },
};
