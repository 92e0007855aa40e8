import { group } from "../../declare/command.ts";
import { download } from "./download.ts";
import { exportAll } from "./export.ts";
import { pull } from "./pull/index.ts";
import { status } from "./status.ts";
import { verify } from "./verify.ts";

export const relations = group("relations", "Exports of a project's relations, for migration", [
  exportAll,
  status,
  download,
  pull,
  verify,
]);
