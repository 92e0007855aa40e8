import { group } from "../../declare/command.ts";
import { catalog } from "./catalog.ts";
import { deleteRepositories } from "./delete.ts";
import { getCommand } from "./get.ts";
import { listCommand } from "./list.ts";
import { deleteCommand } from "./manifests/delete.ts";
import { pruneAll } from "./prune/index.ts";
import { tags } from "./tags/index.ts";
import { token } from "./token.ts";
import { usage } from "./usage.ts";
import { visibility } from "./visibility.ts";

export const registry = [
  listCommand,
  getCommand,
  deleteRepositories,
  visibility,
  usage,
  pruneAll,
  tags,
  token,
  catalog,
  group("manifests", "Images in the registry's own API", [deleteCommand]),
];
