import {
  addSamlLink,
  deleteSamlIdentity,
  getSamlIdentity,
  getSamlLink,
  listSamlIdentities,
  listSamlLinks,
  removeSamlLink,
  SamlIdentity,
  updateSamlIdentity,
} from "../api/endpoints/saml.ts";
import { type Command, group } from "../declare/command.ts";
import { firstLink, membersLost, samlMembersStay, unknownOfLink } from "../state/kinds/links.ts";
import { remove } from "../verbs/remove.ts";
import { create, get, list } from "../verbs/verbs.ts";
import { warnOfFirstLink } from "./first-link.ts";
import { untrusted } from "./identities/identity-api.ts";
import { remapIdentities } from "./identities/remap.ts";
import { updateIdentity } from "./identities/update.ts";

const identities = group("identities", "Accounts at a group's SAML identity provider (hosted offering)", [
  list("list", listSamlIdentities, ["extern_uid", "user_id"], {
    examples: [
      { line: "saml identities list -g acme" },
      { line: "saml identities list -g acme -L all -o csv", note: "all of them, for a spreadsheet" },
    ],
    related: ["saml links list", "scim identities list"],
  }),
  get("get", getSamlIdentity, {
    examples: [{ line: "saml identities get -g acme dana.dixon@acme.example" }],
    related: ["saml identities list", "users get"],
  }),
  updateIdentity({
    get: getSamlIdentity,
    update: updateSamlIdentity,
    returns: SamlIdentity,
    besides: untrusted,
    details:
      `Instances send the user an e-mail at every change. With the new UID, ${untrusted.one}; also after the old one is ` +
      "given back.",
    examples: [
      {
        line: "saml identities update -g acme dana.dixon@acme.example --extern-uid dana@acme.example",
        note: "the account's new UID at the identity provider",
      },
    ],
    undo: { line: "saml identities update {extern_uid} --extern-uid={uid} -g {group}", but: untrusted.undone },
    related: ["saml identities get", "saml identities remap"],
  }),
  remapIdentities({
    noun: "SAML identity",
    besides: untrusted,
    details: `Instances send the user an e-mail at every change, temporary UIDs included, and ${untrusted.many}. `,
    path: ["saml", "identities"],
    list: listSamlIdentities,
    get: getSamlIdentity,
    update: updateSamlIdentity,
    examples: [
      { line: "saml identities remap -g acme --map users.csv --dry-run", note: "every change in order" },
      { line: "saml identities remap -g acme --map users.csv --journal users.journal --yes" },
    ],
    related: ["saml identities list", "saml identities update"],
  }),
  remove("delete", deleteSamlIdentity, {
    noun: "SAML identity",
    shows: getSamlIdentity,
    details:
      "The user stays a member of the group, and instances may link the account again when its user next signs in through " +
      "the identity provider. To end the access, remove the user there, and from the group.",
    examples: [{ line: "saml identities delete -g acme dana.dixon@acme.example" }],
    related: ["saml identities list"],
  }),
]);

const addLink = create("add", addSamlLink, {
  argument: "saml_group_name",
  details: `On instances, ${firstLink.saml}: it is a warning.`,
  requests: [listSamlLinks],
  examples: [
    { line: 'saml links add -g acme "Site Reliability" --access-level maintainer' },
    { line: "saml links add -g acme Interns --access-level 10", note: "a level by its number" },
    { line: "saml links add -g acme Ops --access-level 40 --provider saml_2", note: "for one of several providers" },
  ],
  undo: { line: "saml links remove {saml_group_name} -g {group} [--provider={provider}]", but: membersLost },
  related: ["saml links list", "saml links remove"],
});

/** Looks first whether the group has a link. */
const add: Command = {
  ...addLink,
  async run(context, input) {
    const { group } = input as { group: string };
    await warnOfFirstLink(
      context,
      context.api.list(listSamlLinks, { group }, { limit: 1 }),
      `group ${group}: ${firstLink.saml}`,
    );
    return addLink.run(context, input);
  },
};

const links = group("links", "Groups of the identity provider whose members become members of a group", [
  list("list", listSamlLinks, ["name", "access_level", "member_role_id", "provider"], {
    examples: [{ line: "saml links list -g acme" }],
    related: ["saml links add", "ldap links list"],
  }),
  get("get", getSamlLink, {
    examples: [{ line: "saml links get -g acme Engineering" }],
    related: ["saml links list"],
  }),
  add,
  remove("remove", removeSamlLink, {
    noun: "SAML group link",
    remark: `${samlMembersStay}; ${unknownOfLink}`,
    details: `On instances ${samlMembersStay}.`,
    shows: getSamlLink,
    examples: [{ line: "saml links remove -g acme Engineering" }],
    undo: {
      line:
        "saml links add {saml_group_name} -g {group} --access-level {before.access_level} " +
        "[--member-role-id {before.member_role_id}] [--provider={before.provider}]",
      before: getSamlLink,
      but: unknownOfLink,
    },
    related: ["saml links list", "saml links add"],
  }),
]);

export const saml = [identities, links];
