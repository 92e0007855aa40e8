import * as places from "../../../src/api/endpoints/places.ts";
import { call } from "../call.ts";

export const calls = [
  call(places.getProject, { project: "acme/storefront" }, { as: "guest" }),
  call(places.getGroup, { group: "acme" }, { as: "guest" }),
  call(places.listProjects, { search: "store" }, { as: "guest" }),
  call(places.listGroupProjects, { group: "acme", include_subgroups: true }, { as: "guest" }),
  call(places.listDescendantGroups, { group: "acme" }, { as: "guest" }),
  call(places.listGroups, {}, { as: "guest" }),
];
