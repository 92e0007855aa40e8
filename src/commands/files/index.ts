import { blame } from "./blame.ts";
import { cat } from "./cat.ts";
import { deleteCommand } from "./delete.ts";
import { download } from "./download.ts";
import { edit } from "./edit.ts";
import { get } from "./get.ts";
import { put } from "./put.ts";
import { stat } from "./stat.ts";
import { create, update } from "./write.ts";

export const files = [get, stat, cat, download, blame, create, update, put, edit, deleteCommand];
