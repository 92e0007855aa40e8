import { list } from "./list.ts";
import { path } from "./path.ts";
import { remove } from "./remove.ts";
import { set } from "./set.ts";
import { show } from "./show.ts";
import { unset } from "./unset.ts";
import { use } from "./use.ts";

export const profiles = [list, show, use, set, unset, remove, path];
