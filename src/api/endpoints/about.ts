import { endpoint } from "../endpoint.ts";
import { array, boolean, date, entity, id, json, nullable, string, timestamp } from "../field.ts";

// Undocumented: information on the instance and on the token in use.

const Metadata = entity("Metadata", {
  version: string("Release of the instance"),
  revision: nullable(string()),
  enterprise: boolean(),
});

const Version = entity("Version", {
  version: string("Release of the instance"),
  revision: nullable(string()),
});

const OwnToken = entity("OwnToken", {
  id: id("Token ID"),
  name: string(),
  revoked: boolean(),
  created_at: timestamp(),
  scopes: array(string()),
  user_id: id("User that it belongs to"),
  last_used_at: nullable(timestamp()),
  active: boolean(),
  expires_at: nullable(date()),
});

const OwnJob = entity("OwnJob", {
  id: id("Job ID"),
  name: string(),
  status: string(),
  ref: string(),
  user: nullable(json("User that the job runs as")),
  pipeline: nullable(json("With the ID of its project")),
  web_url: string(),
});

export const getMetadata = endpoint({
  route: "GET /metadata",
  summary: "Get the release of the instance",
  params: {},
  returns: Metadata,
  access: {},
  beyond: true,
});

/** Releases before 15.2 have no other request that shows the release. */
export const getVersion = endpoint({
  route: "GET /version",
  summary: "Get the release of an old instance",
  params: {},
  returns: Version,
  access: {},
  beyond: true,
});

export const getOwnToken = endpoint({
  route: "GET /personal_access_tokens/self",
  summary: "Get the access token in use",
  params: {},
  returns: OwnToken,
  access: {},
  beyond: true,
});

export const getOwnJob = endpoint({
  route: "GET /job",
  summary: "Get the job of the job token in use",
  params: {},
  returns: OwnJob,
  access: { jobToken: true },
  beyond: true,
});
