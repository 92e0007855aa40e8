import * as places from "../../../src/api/endpoints/places.ts";
import { call } from "../call.ts";

export const calls = [
  call(places.getProject, { project: "acme/storefront" }, { as: "guest" }),
  call(places.getGroup, { group: "acme" }, { as: "guest" }),
];
