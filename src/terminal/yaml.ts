/** A YAML document, including the last line feed. Words such as `no` and dates stay strings. */
export async function toYaml(value: unknown): Promise<string> {
  const { dump } = await import("./yaml-dump.ts");
  // Through JSON first: dates become strings, and values that JSON omits are omitted here too.
  return dump(JSON.parse(JSON.stringify(value) ?? "null"), { noRefs: true, lineWidth: -1 });
}
