export type Format = "table" | "json" | "ndjson" | "yaml" | "csv" | "tsv" | "markdown";
/** What every command can print, and a profile or the environment may name. */
export const formats = ["table", "json", "ndjson", "yaml", "csv", "tsv"] as const satisfies readonly Format[];
/** For pages where people review: only commands that say so print it, and only if it is typed. */
export const typedFormat = "markdown" satisfies Format;
