import { group } from "../../declare/command.ts";
import { download } from "./download.ts";
import { exportCommand } from "./export.ts";
import { importCommand } from "./import.ts";
import { getCommand, listCommand } from "./list.ts";

export const groups = group("groups", "Groups, their exports, and their import", [
  listCommand,
  getCommand,
  exportCommand,
  download,
  importCommand,
]);
