/** The type of a setting: `text` is a multi-line string, `object` a hash in the documents. */
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
  /** The document does not give the type; it is inferred from the name, so a mismatch is only a warning. */
  readonly typeInferred?: true;
  readonly default?: boolean | number | string;
  readonly min?: number;
  readonly max?: number;
  readonly unit?: string;
  /** The allowed values; of an array, the allowed items. */
  readonly values?: readonly string[];
  /** The type of an array's items, if documented. */
  readonly items?: "string" | "integer" | "object";
  /** The documented keys of an object; others may exist. */
  readonly properties?: readonly SettingProperty[];
  /** The type of an object's values, if its keys are arbitrary. */
  readonly entries?: "integer";
  /** The allowed URI schemes. */
  readonly schemes?: readonly string[];
  readonly format?: "regex";
  /** This must be given when the named setting is enabled. */
  readonly requiredBy?: string;
  /** The value for `requiredBy` may be empty, but must be in the request. */
  readonly mayBeEmpty?: true;
  /** A condition on its `requiredBy` group that the documents do not state precisely. */
  readonly conditional?: string;
  /** The reverse of `requiredBy`, computed by the catalogue. */
  readonly requires?: readonly string[];
  /** This has an effect only while the named setting has that value. */
  readonly appliesWhen?: { readonly setting: string; readonly is: boolean };
  /** Another type that instances show it as, and take as well. */
  readonly shownAs?: "integer" | "boolean";
  /** The name in use of the same setting: instances store one value under both. */
  readonly sameAs?: string;
  readonly deprecated?: { readonly since?: string; readonly use?: readonly string[]; readonly removal?: string };
  readonly tier?: "premium" | "ultimate";
  /** A secret or a key: never shown, exported, or recorded in a journal. */
  readonly secret?: true;
  readonly writeOnly?: true;
  readonly nullable?: true;
  /** A wrong value can lock users out, including administrators. */
  readonly lockout?: true;
}
