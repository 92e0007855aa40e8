import { textsIn } from "../../api/secret-texts.ts";
import { UsageError } from "../../base/errors.ts";
import { mask } from "../../base/secrets.ts";

/**
 * Refuses what this program showed in place of a secret, at any depth of what is sent: sent back, it would replace the
 * secret, which may exist nowhere else. In a longer text it is a word like any other, but for addresses.
 */
export function refuseMasks(values: unknown): void {
  const found = textsIn(values).find(isMask);
  if (found === undefined) return;
  throw new UsageError(`"${found.trim()}" was shown in place of a secret, and would replace it`, {
    hint: "read the secret with --reveal",
    nothing: "sent",
  });
}

function isMask(text: string): boolean {
  const plain = text.trim();
  return plain === mask || (plain.includes(mask) && /^\w+:\/\/\S+$/.test(plain));
}
