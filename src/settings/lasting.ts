type Values = Readonly<Record<string, unknown>>;

/** A changed setting, and what an instance does besides: it continues a sentence on the instance. */
interface Lasting {
  readonly name: string;
  readonly effect: string;
}

/**
 * The values by which an instance does something to other objects that no change of the setting takes back
 * (waiting-accounts-approved, settings-that-delete).
 */
export function lastingIn(values: Values, current: Values): Lasting[] {
  return effects.flatMap(({ effect, begins }) =>
    Object.keys(values)
      .filter((name) => begins[name]?.(values[name], current[name]) === true)
      .map((name) => ({ name, effect })),
  );
}

/** The different effects of the values, in words; undefined if there is none. */
export function effectsOf(lasting: readonly Lasting[]): string | undefined {
  return lasting.length === 0 ? undefined : [...new Set(lasting.map(({ effect }) => effect))].join("; ");
}

type Begins = (value: unknown, before: unknown) => boolean;

const effects: readonly { readonly effect: string; readonly begins: Readonly<Record<string, Begins>> }[] = [
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
];

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
