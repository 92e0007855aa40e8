import { group } from "../../declare/command.ts";
import { create } from "./create.ts";
import { download } from "./download.ts";
import { list } from "./list.ts";
import { prune } from "./prune.ts";
import { remove } from "./remove.ts";

export const uploads = group("uploads", "Files uploaded for use in Markdown", [create, list, download, remove, prune]);
