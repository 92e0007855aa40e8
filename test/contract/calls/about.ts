import * as about from "../../../src/api/endpoints/about.ts";
import { call } from "../call.ts";

export const calls = [
  call(about.getMetadata, {}, { as: "guest" }),
  call(about.getVersion, {}, { as: "guest" }),
  call(about.getOwnToken, {}, { as: "guest" }),
  call(about.getOwnJob, {}, { as: "jobToken" }),
];
