import { getCurrentUser, getUser, listUsers } from "../../api/endpoints/users.ts";
import { string } from "../../api/field.ts";
import { get } from "../../verbs/verbs.ts";
import { list } from "./list.ts";
import { report } from "./report.ts";

export const users = [
  list,
  get("get", getUser, {
    summary: "Get a user by ID or username",
    params: {
      user_id: string("User ID or username", { placeholder: "id|username", min: 1, names: "user", completes: "user" }),
    },
    requests: [listUsers],
    examples: [
      { line: "users get 42" },
      { line: "users get dana.dixon --fields id,state,last_activity_on", note: "a name is looked up first" },
    ],
    related: ["users list", "users me"],
  }),
  report,
  get("me", getCurrentUser, {
    examples: [{ line: "users me" }, { line: "users me --sudo 42", note: "as an administrator: act as user 42" }],
    related: ["auth status"],
  }),
];
