import {
  deleteScimIdentity,
  getScimIdentity,
  listScimIdentities,
  ScimIdentity,
  updateScimIdentity,
} from "../api/endpoints/scim.ts";
import { group } from "../declare/command.ts";
import { remove } from "../verbs/remove.ts";
import { get, list } from "../verbs/verbs.ts";
import { remapIdentities } from "./identities/remap.ts";
import { updateIdentity } from "./identities/update.ts";

const identities = group("identities", "Accounts that a group's identity provider provisions (hosted offering)", [
  list("list", listScimIdentities, ["extern_uid", "user_id", "active"], {
    details: "The group needs single sign-on with SCIM turned on.",
    examples: [
      { line: "scim identities list -g acme" },
      { line: "scim identities list -g acme -L all --jq '.[] | select(.active | not)'", note: "deactivated accounts" },
    ],
    related: ["scim identities get", "saml identities list"],
  }),
  get("get", getScimIdentity, {
    examples: [{ line: "scim identities get -g acme dana.dixon@acme.example" }],
    related: ["scim identities list", "users get"],
  }),
  updateIdentity({
    get: getScimIdentity,
    update: updateScimIdentity,
    returns: ScimIdentity,
    examples: [
      {
        line: "scim identities update -g acme dana.dixon@acme.example --extern-uid dana@acme.example",
        note: "the account's new UID at the identity provider",
      },
    ],
    undo: { line: "scim identities update {extern_uid} --extern-uid={uid} -g {group}" },
    related: ["scim identities get", "scim identities remap"],
  }),
  remapIdentities({
    noun: "SCIM identity",
    path: ["scim", "identities"],
    list: listScimIdentities,
    get: getScimIdentity,
    update: updateScimIdentity,
    examples: [
      { line: "scim identities remap -g acme --map users.csv --dry-run", note: "every change in order" },
      { line: "scim identities remap -g acme --map users.csv --journal users.journal --yes" },
    ],
    related: ["scim identities list", "scim identities update"],
  }),
  remove("delete", deleteScimIdentity, {
    noun: "SCIM identity",
    shows: getScimIdentity,
    details:
      "The user stays a member of the group, whatever `active` says; the identity provider can no longer deactivate the " +
      "account through this identity.",
    examples: [{ line: "scim identities delete -g acme dana.dixon@acme.example" }],
    related: ["scim identities list"],
  }),
]);

export const scim = [identities];
