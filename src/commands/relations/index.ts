import { download } from "./download.ts";
import { exportAll } from "./export.ts";
import { pull } from "./pull/index.ts";
import { status } from "./status.ts";
import { verify } from "./verify.ts";

export const relations = [exportAll, status, download, pull, verify];
