import { UsageError } from "../base/errors.ts";
import { hasShownMask, shownMaskText } from "../base/masked.ts";
import { isSourceName } from "../base/secret-names.ts";
import { treatSecrets } from "../base/secrets.ts";
import type { Field, Fields } from "./field.ts";
import type { Redactor } from "./redact.ts";

/** Every text in values of fields declared secret, at any depth, of parameters and answers. */
export function secretTexts(fields: Fields, values: unknown): string[] {
  // Most entities have none, and their lists are long.
  if (!holdsSecret(fields)) return [];
  const texts: string[] = [];
  treatSecrets(
    values,
    {
      isSecret: (name, field) => field?.secret === true || field?.item?.secret === true || isSourceName(name),
      secret: (value) => {
        for (const text of textsIn(value)) texts.push(text);
        return value;
      },
    },
    fields,
  );
  return texts;
}

/** Values of CI/CD variables may be any word, and thousands: they are hidden where they are, and not in every text. */
const ofVariables = new Set(["value", "variables", "variables_attributes", "job_variables_attributes"]);

/**
 * Every text in values of secret names, at any depth, of a request that no endpoint declares; but for CI/CD variables.
 */
export function namedSecretTexts(values: unknown): string[] {
  const texts: string[] = [];
  const secret = (value: unknown, name: string) => {
    for (const text of ofVariables.has(name) ? [] : textsIn(value)) texts.push(text);
    return value;
  };
  treatSecrets(values, { secret });
  return texts;
}

function holdsSecret(fields: Fields): boolean {
  return Object.values(fields).some(isSecretOrHolds);
}

function isSecretOrHolds(field: Field): boolean {
  if (field.secret === true) return true;
  if (field.item !== undefined && isSecretOrHolds(field.item)) return true;
  return field.shape !== undefined && holdsSecret(field.shape);
}

/** Every text in a value, at any depth. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Refuses to store what this program shows in place of a secret: it would take the place of the secret. */
export function refuseShownMasks(fields: Fields, values: unknown): void {
  if (!secretTexts(fields, values).some((text) => hasShownMask(text, true))) return;
  throw new UsageError(`a secret ${shownMaskText}`, { hint: "give the secret itself", nothing: "sent" });
}

/** From now on the values of fields declared secret are shown only in results. */
export function keepSecret(redactor: Redactor, fields: Fields, values: unknown): void {
  for (const secret of secretTexts(fields, values)) redactor.add(secret);
}
