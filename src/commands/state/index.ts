import { group } from "../../declare/command.ts";
import { apply } from "./apply.ts";
import { exportState } from "./export.ts";
import { history, show } from "./history.ts";
import { plan } from "./plan.ts";
import { rollback } from "./rollback.ts";
import { schema } from "./schema.ts";
import { validate } from "./validate.ts";

export const state = group("state", "Configuration as code: one file for an instance, planned, applied, rolled back", [
  exportState,
  validate,
  plan,
  apply,
  rollback,
  history,
  show,
  schema,
]);
