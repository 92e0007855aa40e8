/** What a setting's value is: `text` is a string of several lines, `object` a hash of the documents. */
export type SettingType = "boolean" | "integer" | "number" | "string" | "text" | "array" | "object";

/** One key of a setting whose value is an object. */
export interface SettingProperty {
  readonly name: string;
  readonly type: SettingType;
  readonly items?: "string" | "integer" | "object";
}

/** One instance setting, as document 3 (`3-settings-api: Resources and their fields`) describes it. */
export interface Setting {
  readonly name: string;
  readonly type: SettingType;
  readonly description: string;
  /** The document names the setting and not its type; the type is read off the name, so a mismatch only warns. */
  readonly typeInferred?: true;
  readonly default?: boolean | number | string;
  readonly min?: number;
  readonly max?: number;
  readonly unit?: string;
  /** The allowed values; of an array, the allowed items. */
  readonly values?: readonly string[];
  /** What an array holds, where the document says so. */
  readonly items?: "string" | "integer" | "object";
  /** The keys of an object which the document names; there may be others. */
  readonly properties?: readonly SettingProperty[];
  /** What every value of an object is, where its keys are free. */
  readonly entries?: "integer";
  /** The allowed URI schemes. */
  readonly schemes?: readonly string[];
  readonly format?: "regex";
  /** This must be given when the named setting is enabled. */
  readonly requiredBy?: string;
  /** What `requiredBy` asks for may be empty: it only has to stand in the request. */
  readonly mayBeEmpty?: true;
  /** When the documents want it given with its `requiredBy` group without a rule that could be checked. */
  readonly conditional?: string;
  /** The other direction of `requiredBy`, worked out by the catalogue. */
  readonly requires?: readonly string[];
  /** This has an effect only while the named setting has that value. */
  readonly appliesWhen?: { readonly setting: string; readonly is: boolean };
  readonly deprecated?: { readonly since?: string; readonly use?: readonly string[]; readonly removal?: string };
  readonly tier?: "premium" | "ultimate";
  /** A secret or a key: never shown, exported, or kept in a journal. */
  readonly secret?: true;
  readonly writeOnly?: true;
  readonly nullable?: true;
  /** A wrong value can lock people out, administrators among them. */
  readonly lockout?: true;
}
