import { textsIn } from "../../api/secret-texts.ts";
import { UsageError } from "../../base/errors.ts";
import { holdsMaskedAddress, isMaskedAddress, isShownSecret } from "../../base/masked.ts";
import { type DeclaredShape, mask, treatSecrets } from "../../base/secrets.ts";

/**
 * Refuses what this program showed in place of a secret where a change would store it: sent back, it would replace the
 * secret, which may exist nowhere else. In any other place it is a word like any other, but for addresses; an
 * address between other words counts in a secret, and where it replaces what is stored.
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
  // The rest of such a text may be a secret: only the mask is named.
  const between = (each: string) => (holdsMaskedAddress(each) ? mask : undefined);
  const whole = (each: string) => (isMaskedAddress(each) ? each.trim() : undefined);
  const text = (value: string) => inspect((each) => whole(each) ?? (replaces ? between(each) : undefined), value);
  const secret = (value: unknown) => inspect((each) => (isShownSecret(each) ? mask : between(each)), value);
  treatSecrets(values, { secret, text }, shape);
}
