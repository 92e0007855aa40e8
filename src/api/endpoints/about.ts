import { endpoint } from "../endpoint.ts";
import { array, boolean, date, entity, id, nullable, string, timestamp } from "../field.ts";

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
