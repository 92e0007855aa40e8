import * as tracking from "../../../src/api/endpoints/error-tracking.ts";
import { call } from "../call.ts";

const project = "acme/storefront";
const as = "maintainer";

export const calls = [
  call(tracking.getErrorSettings, { project }, { as }),
  call(tracking.setErrorSettings, { project: "8", active: true, integrated: true }, { as }),
  call(tracking.switchErrorTracking, { project, active: false }, { as }),
  call(tracking.createClientKey, { project }, { as }),
  call(tracking.listClientKeys, { project }, { as }),
  call(tracking.deleteClientKey, { project, key_id: 1 }, { as }),
];
