import { ownValue } from "../base/own-value.ts";
import { findSetting } from "./catalogue.ts";

type Values = Readonly<Record<string, unknown>>;

/** A changed setting, and what an instance does besides: it continues a sentence on the instance. */
interface Lasting {
  readonly name: string;
  readonly effect: string;
}

/**
 * The values by which an instance does something to other objects that no change of the setting takes back
 * (waiting-accounts-approved, settings-that-delete, settings-written-below).
 */
export function lastingIn(values: Values, current: Values): Lasting[] {
  const effective = { ...current, ...values };
  const isOn = ({ needs }: Effect) => needs === undefined || effective[needs] === true;
  return effects.filter(isOn).flatMap(({ effect, begins, isOf }) =>
    Object.keys(values)
      .filter((name) => {
        const isUnknown = findSetting(name) === undefined && !known.has(name);
        const isBegun = ownValue(begins, name) ?? (isUnknown && isOf?.names.test(name) ? isOf.begins : undefined);
        return isBegun?.(values[name], current[name]) === true;
      })
      .map((name) => ({ name, effect })),
  );
}

/** The different effects of the values, in words; undefined if there is none. */
export function effectsOf(lasting: readonly Lasting[]): string | undefined {
  return lasting.length === 0 ? undefined : [...new Set(lasting.map(({ effect }) => effect))].join("; ");
}

type Begins = (value: unknown, before: unknown) => boolean;

interface Effect {
  readonly effect: string;
  readonly begins: Readonly<Record<string, Begins>>;
  /** Others by their names, which neither the API documents have nor another effect. */
  readonly isOf?: { readonly names: RegExp; readonly begins: Begins };
  /** A setting without which the others have no effect. */
  readonly needs?: string;
}

/** Settings of the assistant and its agents, and of templates. */
const writtenBelow =
  /^(?:(?:lock_)?[a-z]+_features|(?!receptive_)\w*(?:flows|agents|auto_mode|code_review)|\w+_audit_events_storage|built_in_project_templates)_enabled$|^\w+_availability$/;

const effects: readonly Effect[] = [
  {
    effect: "the instance approves every account that waits for approval, which nothing takes back",
    begins: {
      require_admin_approval_after_user_signup: (value, before) => value === false && before !== false,
      // Releases differ in whether a higher limit of accounts, or none, lets in those who wait.
      new_user_signups_cap: (value, before) =>
        typeof before === "number" && (value === null || value === "" || (typeof value === "number" && value > before)),
    },
  },
  {
    effect:
      "within a day the instance deletes each project and group whose deletion was requested longer ago than this, " +
      "which nothing takes back",
    begins: { deletion_adjourned_period: isLower },
  },
  {
    effect:
      "some three hours later the instance revokes each personal access token that has no expiry date, or a later one " +
      "than this allows, perhaps that of this run too; nothing takes that back",
    begins: { max_personal_access_token_lifetime: isLower },
  },
  {
    effect:
      "within hours the instance deletes each account whose address has not been confirmed for longer than " +
      "unconfirmed_users_delete_after_days, which nothing takes back",
    begins: { delete_unconfirmed_users: isTurnedOn, unconfirmed_users_delete_after_days: isLower },
    needs: "delete_unconfirmed_users",
  },
  {
    effect:
      "within a day the instance deletes each account of a project's or group's access tokens of which none has been " +
      "valid for longer than this, with these tokens, which nothing takes back",
    begins: { inactive_resource_access_tokens_delete_after_days: isLower },
  },
  {
    effect:
      "within minutes the instance writes to the members of each dormant project, and marks those for deletion " +
      "whose members it wrote to longer ago than inactive_projects_delete_after_months less " +
      "inactive_projects_send_warning_email_after_months, which nothing takes back",
    begins: {
      delete_inactive_projects: isTurnedOn,
      inactive_projects_delete_after_months: isLower,
      // A later warning leaves less time between a warning of before and the deletion.
      inactive_projects_send_warning_email_after_months: (value, before) => numberIn(value) !== numberIn(before),
      inactive_projects_min_size_mb: isLower,
    },
    needs: "delete_inactive_projects",
  },
  {
    effect:
      "within a day the instance deactivates each account, service accounts included, that has not been active for " +
      "deactivate_dormant_users_period; each stays so until it is activated, or its user signs in",
    begins: { deactivate_dormant_users: isTurnedOn, deactivate_dormant_users_period: isLower },
    needs: "deactivate_dormant_users",
  },
  {
    effect:
      "the instance writes it into each group and each project, over what they have of their own, which nothing " +
      "takes back",
    // The document has these two; instances name them otherwise, and have more.
    begins: { assistant_features_enabled: isOther, lock_assistant_features_enabled: isOther },
    isOf: { names: writtenBelow, begins: isOther },
  },
  {
    effect:
      "the instance writes it into every index of the code search, over what each has of its own, which nothing takes back",
    begins: { codesearch_replicas: isOther, codesearch_shards: isOther },
  },
  {
    effect: "by its name, the instance may delete what it is for, which nothing takes back",
    begins: {},
    isOf: {
      names: /^\w*(?:retention|cleanup|purge|stale_after|chat_expiration|delete_after_(?:days|months))/,
      begins: isMore,
    },
  },
];

const known = new Set(effects.flatMap(({ begins }) => Object.keys(begins)));

/** Whether what a setting is for by its name is done to more, or begins. */
function isMore(value: unknown, before: unknown): boolean {
  const isText = typeof value === "string" && numberIn(value) === undefined;
  return isTurnedOn(value, before) || isLower(value, before) || (isText && isOther(value, before));
}

function isOther(value: unknown, before: unknown): boolean {
  return String(value) !== String(before);
}

function isTurnedOn(value: unknown, before: unknown): boolean {
  return value === true && before !== true;
}

/** Whether a number limits more than the one before, or than none. */
function isLower(value: unknown, before: unknown): boolean {
  const number = numberIn(value);
  const earlier = numberIn(before);
  return number !== undefined && (earlier === undefined || number < earlier);
}

/** An undocumented setting may be given as a text. */
function numberIn(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && !Number.isNaN(number) ? number : undefined;
}
