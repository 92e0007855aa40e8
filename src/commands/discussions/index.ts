import { group } from "../../declare/command.ts";
import { create } from "./create.ts";
import { remove } from "./delete.ts";
import { get } from "./get.ts";
import { list } from "./list.ts";
import { reply } from "./reply.ts";
import { resolve, unresolve } from "./resolve.ts";
import { update } from "./update.ts";

export const discussions = group("discussions", "Threads on issues, merge requests, snippets, and epics", [
  list,
  get,
  create,
  reply,
  update,
  remove,
  resolve,
  unresolve,
]);
