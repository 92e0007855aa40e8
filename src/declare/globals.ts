import { boolean, integer, number, oneOf, string } from "../api/field.ts";
import { formats, typedFormat } from "../base/format.ts";

/**
 * The flags that every command takes, the most common first. Their fallbacks are listed in `forgectl help environment`.
 */
export const globalFlags = {
  output: oneOf(formats, "Output format; table on a terminal, tsv in a pipe", {
    short: "o",
    placeholder: "format",
    suggests: [typedFormat],
  }),
  fields: string("Fields to show, in this order: id,author.name", {
    placeholder: "a,b.c",
    completes: "field",
    commas: true,
  }),
  jq: string("Filter the JSON result", { placeholder: "expr" }),
  header: boolean("Leave out the header row of table, csv, and tsv", { flag: "no-header" }),
  times: boolean("Show times in full on a terminal"),
  dry_run: boolean("Print the requests that would be sent, and change nothing", { short: "n" }),
  yes: boolean("Answer every confirmation with yes; where a profile is protected, only --yes=<profile> does", {
    short: "y",
  }),
  input: boolean("Never prompt; fail and name the missing flag", { flag: "no-input" }),
  quiet: boolean("No progress, notices, or summaries", { short: "q" }),
  profile: string("Stored profile to use", { placeholder: "name", completes: "profile" }),
  base_url: string("Instance address, the part before /api/v4", { placeholder: "url" }),
  registry_url: string("Container registry address", { placeholder: "url" }),
  debug: boolean("Trace requests and timings on stderr, secrets redacted"),
  color: oneOf(["auto", "always", "never"], "When to color output", { placeholder: "when" }),
  concurrency: integer("Requests in flight at once for lists and bulk verbs (default 10)", {
    placeholder: "n",
    min: 1,
    max: 100,
  }),
  retries: integer("Attempts after the first (default 4)", { placeholder: "n", min: 0, max: 100 }),
  timeout: number("Seconds to the first byte, and between bytes (default 60)", {
    placeholder: "seconds",
    min: 0.001,
    max: 86_400,
  }),
  ca_file: string("PEM file of certificate authorities, in addition to the system's", {
    placeholder: "file",
    completes: "file",
  }),
};
