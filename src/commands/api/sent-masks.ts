import { textsIn } from "../../api/secret-texts.ts";
import { UsageError } from "../../base/errors.ts";
import { isMaskedAddress, isShownSecret, maskedAddressIn } from "../../base/masked.ts";
import { type DeclaredShape, mask, treatSecrets } from "../../base/secrets.ts";

/**
 * Refuses what this program showed in place of a secret where a change would store it: sent back, it would replace the
 * secret, which may exist nowhere else. In any other place it is a word like any other, but for addresses; between
 * other words, such an address counts where it replaces what is stored.
 *
 * @param shape the secret fields of the path
 */
export function refuseMasks(method: string, values: unknown, shape: DeclaredShape | undefined): void {
  const inspect = <T>(maskIn: (text: string) => string | undefined, value: T): T => {
    const [found] = textsIn(value).flatMap((each) => maskIn(each) ?? []);
    if (found === undefined) return value;
    throw new UsageError(`"${found}" was shown in place of a secret, and would replace it`, {
      hint: "read the secret with --reveal",
      nothing: "sent",
    });
  };
  const replaces = method === "PUT" || method === "PATCH";
  const address = (each: string) => (isMaskedAddress(each) ? each.trim() : undefined);
  const text = (each: string) => inspect(replaces ? maskedAddressIn : address, each);
  // The rest of such a text may be a secret: only the mask is named.
  const secret = (value: unknown) =>
    inspect((each) => (isShownSecret(each) || isMaskedAddress(each) ? mask : undefined), value);
  treatSecrets(values, { secret, text }, shape);
}
