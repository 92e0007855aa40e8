import { getCurrentUser, getUser, listUsers } from "../../../src/api/endpoints/users.ts";
import { call } from "../call.ts";

export const calls = [
  call(listUsers, { search: "a", humans: true, order_by: "name", sort: "asc", custom_attributes: {} }),
  call(listUsers, { pagination: "keyset", order_by: "id", sort: "asc" }),
  call(getUser, { user_id: 1, with_custom_attributes: true }),
  call(getCurrentUser, { sudo: 2 }),
];
