import { download } from "./download.ts";
import { exportCommand } from "./export.ts";
import { importCommand } from "./import.ts";
import { getCommand, listCommand } from "./list.ts";

export const groups = [listCommand, getCommand, exportCommand, download, importCommand];
