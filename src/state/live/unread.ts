import { isHidden } from "../fields/normal.ts";
import { missingWords } from "../keys.ts";
import { type Declared, fieldOf, isReference, type Kind, type Live, type StateField } from "../kind.ts";

// Why an entry whose variables or files are missing cannot be compared.

/**
 * Why a text that the instance shows cannot be compared: its file does not exist. A plan works without the secrets, so
 * that a variable may be unset.
 */
export function unreadIn(
  kind: Kind,
  { values }: Declared,
  live: Live,
  { decided }: { readonly decided?: (name: string) => boolean | undefined },
): string | undefined {
  for (const [name, value] of Object.entries(values)) {
    const field = fieldOf(kind, name);
    if (!isReference(value) || value.reference === "env" || field.writeOnly || isHidden(field, live.values[name]))
      continue;
    if (decided?.(name) === undefined) return `${missingWords(value)}, so that ${name} cannot be compared`;
  }
  return undefined;
}

/** Why secrets are not sent: the address that is to receive them may be another user's, and is not compared. */
export function unreadTarget(kind: Kind, { values }: Declared, write: readonly string[]): string | undefined {
  if (!write.some((name) => isSecretSent(fieldOf(kind, name), values[name]))) return undefined;
  for (const [name, value] of Object.entries(values)) {
    if (!isReference(value) || write.includes(name) || fieldOf(kind, name).schemes === undefined) continue;
    return `${missingWords(value)}, so that ${name} cannot be compared, and no secret is sent to it`;
  }
  return undefined;
}

/** Whether a value contains secrets that are sent; an empty one removes them. */
function isSecretSent({ writeOnly, form }: StateField, value: unknown): boolean {
  if (form === "keys") return Array.isArray(value) && value.length > 0;
  return writeOnly === true && value !== "";
}
