import { textsIn } from "../../api/secret-texts.ts";
import { UsageError } from "../../base/errors.ts";
import { isMaskedAddress } from "../../base/masked.ts";
import { type DeclaredShape, mask, treatSecrets } from "../../base/secrets.ts";

/**
 * Refuses what this program showed in place of a secret where a change would store it: sent back, it would replace the
 * secret, which may exist nowhere else. In any other place it is a word like any other, but for addresses.
 *
 * @param shape the secret fields of the path
 */
export function refuseMasks(values: unknown, shape: DeclaredShape | undefined): void {
  const inspect = <T>(isMasked: (text: string) => boolean, value: T): T => {
    const found = textsIn(value).find(isMasked);
    if (found === undefined) return value;
    throw new UsageError(`"${found.trim()}" was shown in place of a secret, and would replace it`, {
      hint: "read the secret with --reveal",
      nothing: "sent",
    });
  };
  const text = (each: string) => inspect(isMaskedAddress, each);
  const secret = (value: unknown) =>
    inspect((each) => each.split(/\s+/).includes(mask) || isMaskedAddress(each), value);
  treatSecrets(values, { secret, text }, shape);
}
