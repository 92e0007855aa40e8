import { UsageError } from "../base/errors.ts";
import type { GlobalOptions } from "../config/config.ts";

/** The converted global flags in the form that the rest of the program uses. */
export function globalOptions(values: Readonly<Record<string, unknown>>): GlobalOptions {
  return {
    profile: values.profile as string | undefined,
    baseUrl: values.base_url as string | undefined,
    registryUrl: values.registry_url as string | undefined,
    output: values.output as GlobalOptions["output"],
    fields: fieldsOf(values.fields as string | undefined),
    jq: values.jq as string | undefined,
    header: values.header !== true,
    times: values.times === true,
    dryRun: values.dry_run === true,
    yes: values.yes === true,
    yesFor: values.yes_for as string | undefined,
    input: values.input === true ? false : undefined,
    quiet: values.quiet === true,
    debug: values.debug === true ? true : undefined,
    caFile: values.ca_file as string | undefined,
    timeout: values.timeout as number | undefined,
    retries: values.retries as number | undefined,
    concurrency: values.concurrency as number | undefined,
    color: values.color as GlobalOptions["color"],
  };
}

function fieldsOf(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(",").map((name) => name.trim());
  if (names.includes("")) throw new UsageError(`--fields: has an empty name in "${text}"`);
  return names;
}
