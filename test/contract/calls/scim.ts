import {
  deleteScimIdentity,
  getScimIdentity,
  listScimIdentities,
  updateScimIdentity,
} from "../../../src/api/endpoints/scim.ts";
import { call } from "../call.ts";

export const sandbox = { hosting: "hosted" };

const group = "acme";
const odd = "ünïcode/with @ and #%?+";

export const calls = [
  call(listScimIdentities, { group }),
  call(updateScimIdentity, { group, uid: "dana.dixon@acme.example", extern_uid: odd }),
  call(getScimIdentity, { group, uid: odd }),
  call(deleteScimIdentity, { group, uid: odd }),
];
