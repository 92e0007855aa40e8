/** A YAML document, its last line feed included. Words such as `no` and dates stay text. */
export async function toYaml(value: unknown): Promise<string> {
  const { dump } = await import("./yaml-dump.ts");
  // Through JSON first: dates become text, and what JSON leaves out is left out here too.
  return dump(JSON.parse(JSON.stringify(value) ?? "null"), { noRefs: true, lineWidth: -1 });
}
