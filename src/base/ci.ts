/** Whether this runs in a CI job. */
export function isInCi({ CI }: Readonly<Record<string, string | undefined>>): boolean {
  return Boolean(CI) && !/^(?:0|false)$/i.test(CI ?? "");
}
