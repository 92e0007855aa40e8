/** The parameters in a path; of those given twice, the last. */
export function queryOf(path: string): Record<string, string> {
  const at = path.indexOf("?");
  return at < 0 ? {} : Object.fromEntries(new URLSearchParams(path.slice(at)));
}

/** The parameters in a path as they were typed. */
export function queryTextsOf(path: string): string[] {
  const at = path.indexOf("?");
  return at < 0 ? [] : path.slice(at + 1).split("&");
}
