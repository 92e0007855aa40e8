import { endpoint } from "../endpoint.ts";
import { entity, id, json, timestamp } from "../field.ts";

/**
 * The instance's settings, one object (`3-settings-api: Resources and their fields`). The settings themselves are
 * described in the catalogue; an instance may have others.
 */
const ApplicationSettings = entity("ApplicationSettings", {
  id: id("Always 1"),
  created_at: timestamp(),
  updated_at: timestamp(),
});

const access = { role: "administrator", hosting: "self-managed" } as const;

export const getSettings = endpoint({
  route: "GET /application/settings",
  summary: "Get the instance's settings",
  params: {},
  returns: ApplicationSettings,
  access,
});

export const updateSettings = endpoint({
  route: "PUT /application/settings",
  summary: "Change the instance's settings",
  params: {
    // Compared by the types of the catalogue: src/commands/settings/write-check.ts.
    settings: json("Any settings, by name", { entries: true, answered: "never" }),
    secrets: json("The same for secret settings", { entries: true, secret: true }),
  },
  returns: ApplicationSettings,
  access,
  // terms-stored-first
  storedFirst: ["terms"],
});
