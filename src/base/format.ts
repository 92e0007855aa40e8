export type Format = "table" | "json" | "ndjson" | "yaml" | "csv" | "tsv";
export const formats: readonly Format[] = ["table", "json", "ndjson", "yaml", "csv", "tsv"];
