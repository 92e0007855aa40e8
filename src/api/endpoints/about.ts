import { endpoint } from "../endpoint.ts";
import { array, boolean, date, entity, id, json, nullable, string, timestamp } from "../field.ts";

// Beyond the API documents: what an instance says of itself, and of the token that asks.

const Metadata = entity("Metadata", {
  version: string("Release of the instance"),
  revision: nullable(string()),
  enterprise: boolean(),
});

const OwnToken = entity("OwnToken", {
  id: id("Token ID"),
  name: string(),
  revoked: boolean(),
  created_at: timestamp(),
  scopes: array(string()),
  user_id: id("Whose it is"),
  last_used_at: nullable(timestamp()),
  active: boolean(),
  expires_at: nullable(date()),
});

const OwnJob = entity("OwnJob", {
  id: id("Job ID"),
  name: string(),
  status: string(),
  ref: string(),
  user: nullable(json("Whom the job runs as")),
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

export const getOwnToken = endpoint({
  route: "GET /personal_access_tokens/self",
  summary: "Get the access token that asks",
  params: {},
  returns: OwnToken,
  access: {},
  beyond: true,
});

export const getOwnJob = endpoint({
  route: "GET /job",
  summary: "Get the job whose token asks",
  params: {},
  returns: OwnJob,
  access: { jobToken: true },
  beyond: true,
});
