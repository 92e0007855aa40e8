import { group } from "../../declare/command.ts";
import { download } from "./download.ts";
import { exportCommand } from "./export.ts";
import { importCommand } from "./import.ts";

export const groups = group("groups", "Exports and imports of groups", [exportCommand, download, importCommand]);
