/** A YAML document, including the last line feed. Words such as `no` and dates stay strings. */
export async function toYaml(value: unknown): Promise<string> {
  const { dumpYaml } = await import("./yaml-dump.ts");
  // Through JSON first: dates become strings, and values that JSON omits are omitted here too.
  return dumpYaml(JSON.parse(JSON.stringify(value) ?? "null"), { lineWidth: -1 });
}
