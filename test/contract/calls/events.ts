import { listOwnEvents, listProjectEvents, listUserEvents } from "../../../src/api/endpoints/events.ts";
import { call } from "../call.ts";

export const calls = [
  call(listOwnEvents, { action: "pushed", sort: "asc", scope: "all" }),
  call(listUserEvents, { user: "root", before: "2100-01-01" }),
  call(listProjectEvents, { project: "acme/storefront", target_type: "issue" }),
];
