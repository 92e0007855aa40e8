import { group } from "../../declare/command.ts";
import { create } from "./create.ts";
import { remove } from "./delete.ts";
import { get } from "./get.ts";
import { list } from "./list.ts";
import { update } from "./update.ts";
import { upsert } from "./upsert.ts";

export const notes = group("notes", "Comments on issues, merge requests, snippets, and epics", [
  list,
  get,
  create,
  update,
  upsert,
  remove,
]);
