import type { Schema } from "../fields/field-schema.ts";
import type { Spot } from "../fields/spot.ts";
import type { Origin } from "../finding.ts";
import type { Kind, Values } from "../kind.ts";
import type { Mapping } from "../yaml/tree.ts";
import { settingsKind } from "./settings.ts";
import { exportSettings, readSettings, settingsSchema } from "./settings-form.ts";

/** How a record with rules of its own is written in a file. */
interface OwnForm {
  /** Reads its section; problems are reported, and `places` receives the place of each field. */
  read(tree: Mapping, places: Record<string, Origin>, spot: Spot): Values;
  /** With `documented`, only the fields that the API documents name. */
  exported(live: Values, documented: boolean): Values;
  schema(): Schema;
}

/** The kinds whose sections follow more than their fields. */
export const ownForms: ReadonlyMap<Kind, OwnForm> = new Map([
  [settingsKind, { read: readSettings, exported: exportSettings, schema: settingsSchema }],
]);
