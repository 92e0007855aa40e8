import { expect, test } from "vitest";
import { aboutOf } from "../../../src/commands/hooks/listen/delivery.ts";

// Place and title of payloads that have them in fields of their own.
test.each([
  [
    "a job",
    { object_kind: "build", ref: "main", build_name: "rspec", build_status: "failed", project_name: "Acme / Web" },
    "Acme / Web",
    "rspec, main: failed",
  ],
  [
    "a pipeline",
    {
      object_kind: "pipeline",
      object_attributes: { ref: "main", status: "success" },
      project: { path_with_namespace: "acme/web" },
    },
    "acme/web",
    "main: success",
  ],
  [
    "a deployment",
    {
      object_kind: "deployment",
      status: "running",
      environment: "production",
      ref: "main",
      project: { path_with_namespace: "acme/web" },
    },
    "acme/web",
    "production, main: running",
  ],
  ["a project", { event_name: "project_create", path_with_namespace: "acme/new", name: "new" }, "acme/new", "new"],
  [
    "a member",
    { event_name: "user_add_to_team", project_path_with_namespace: "acme/web", user_username: "ada" },
    "acme/web",
    "ada",
  ],
  [
    "an access token",
    { object_kind: "access_token", group: { group_path: "acme" }, object_attributes: { name: "deploys" } },
    "acme",
    "deploys",
  ],
  [
    "a branch",
    { object_kind: "push", ref: "refs/heads/main", status: "x", project: { name: "Web" } },
    "Web",
    "refs/heads/main",
  ],
])("%s", (_, payload, place, title) => {
  expect(aboutOf(payload)).toEqual({ place, title });
});
