/** Whether this runs in a CI job. Two runners that obey lines of the log do not set `CI`. */
export function isInCi({ CI, TF_BUILD, TEAMCITY_VERSION }: Readonly<Record<string, string | undefined>>): boolean {
  return [CI, TF_BUILD, TEAMCITY_VERSION].some((value) => Boolean(value) && !/^(?:0|false)$/i.test(value ?? ""));
}

/**
 * What the runner of a CI job acts on anywhere in a line, up to where it can be broken: `##vso[…]`, `##[…]`,
 * `##teamcity[…]`.
 */
export const obeyedAnywhere = /##(?=(?:vso|teamcity)?\[)/g;

/** The mode of a saved plan: 0600, in a CI job what the umask leaves, since jobs share artifacts. */
export function planMode(env: Parameters<typeof isInCi>[0]): { mode?: number } {
  return isInCi(env) ? {} : { mode: 0o600 };
}
