/** Whether this runs in a CI job. */
export function isInCi({ CI }: Readonly<Record<string, string | undefined>>): boolean {
  return Boolean(CI) && !/^(?:0|false)$/i.test(CI ?? "");
}

/**
 * What the runner of a CI job acts on anywhere in a line, up to where it can be broken: `##vso[…]`, `##[…]`.
 */
export const obeyedAnywhere = /##(?=(?:vso)?\[)/g;
