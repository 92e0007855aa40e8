import {
  addSamlLink,
  deleteSamlIdentity,
  getSamlIdentity,
  getSamlLink,
  listSamlIdentities,
  listSamlLinks,
  removeSamlLink,
  updateSamlIdentity,
} from "../../../src/api/endpoints/saml.ts";
import { call } from "../call.ts";

export const sandbox = { hosting: "hosted" };

const group = "acme";
const odd = "ünïcode/with @ and #%?+";

export const calls = [
  call(listSamlIdentities, { group }),
  call(updateSamlIdentity, { group, uid: "dana.dixon@acme.example", extern_uid: odd }),
  call(getSamlIdentity, { group, uid: odd }),
  call(deleteSamlIdentity, { group, uid: odd }),
  call(addSamlLink, { group, saml_group_name: odd, access_level: 30, member_role_id: 3 }),
  call(listSamlLinks, { group }),
  call(getSamlLink, { group, saml_group_name: odd }),
  call(removeSamlLink, { group, saml_group_name: odd }),
];
