import { group } from "../../declare/command.ts";
import { remove, set, unset, use } from "./change.ts";
import { list, path, show } from "./list.ts";

export const profiles = group("profiles", "Stored profiles: instances and connection settings", [
  list,
  show,
  use,
  set,
  unset,
  remove,
  path,
]);
