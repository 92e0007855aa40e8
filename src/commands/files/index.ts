import { group } from "../../declare/command.ts";
import { cat, download } from "./content.ts";
import { deleteCommand } from "./delete.ts";
import { edit } from "./edit.ts";
import { blame, get, stat } from "./read.ts";
import { create, put, update } from "./write.ts";

export const files = group("files", "Files of repositories", [
  get,
  stat,
  cat,
  download,
  blame,
  create,
  update,
  put,
  edit,
  deleteCommand,
]);
