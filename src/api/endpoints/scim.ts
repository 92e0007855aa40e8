import { activeTones } from "../../base/tone.ts";
import { endpoint } from "../endpoint.ts";
import { boolean, entity, id, uncut } from "../field.ts";
import { listedUid, newUid, uidIn } from "./identity.ts";
import { group } from "./scope.ts";

/** An account provisioned by SCIM (`2-collaboration-identity-api: SAML and SCIM identities, links`). */
export const ScimIdentity = entity("ScimIdentity", {
  extern_uid: uncut("UID at the identity provider"),
  user_id: id("User that it is provisioned as"),
  active: boolean("Whether it is active at the identity provider", { tones: activeTones }),
});

// 2-collaboration-identity-api: SCIM identities.
const access = { role: "owner", tier: "premium", hosting: "hosted" } as const;

const uid = uidIn("scim-identity");

export const listScimIdentities = endpoint({
  route: "GET /groups/:group/scim/identities",
  summary: "List a group's SCIM identities",
  params: { group },
  returns: ScimIdentity,
  page: "offset",
  access,
});

export const getScimIdentity = endpoint({
  route: "GET /groups/:group/scim/:uid",
  summary: "Get a SCIM identity",
  params: { group, uid: { ...uid, ...listedUid } },
  returns: ScimIdentity,
  access,
});

export const updateScimIdentity = endpoint({
  route: "PATCH /groups/:group/scim/:uid",
  summary: "Change the UID of a SCIM identity",
  params: { group, uid, extern_uid: newUid },
  // The identity or an empty answer, depending on the instance.
  returns: "json",
  readBy: { endpoint: getScimIdentity, places: { uid: "extern_uid" } },
  encoding: "form",
  access,
});

export const deleteScimIdentity = endpoint({
  route: "DELETE /groups/:group/scim/:uid",
  summary: "Delete a SCIM identity",
  params: { group, uid },
  returns: "nothing",
  access,
});
