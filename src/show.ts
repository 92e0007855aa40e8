import type { GlobalOptions } from "./config/types.ts";
import type { Context } from "./context.ts";
import { render } from "./terminal/render.ts";
import { createStyle } from "./terminal/style.ts";
import type { View } from "./terminal/view.ts";
import type { Wiring } from "./wire.ts";

/** What can be wrong with the output flags alone is said before anything is sent. */
export async function checkOutput(options: GlobalOptions): Promise<void> {
  if (options.jq === undefined) return;
  const { checkJq } = await import("./terminal/jq.ts");
  await checkJq(options.jq);
}

/** Writes a command's result. */
export async function show(wiring: Wiring, context: Context, options: GlobalOptions, view: View): Promise<void> {
  const { stdout, stderr } = wiring;
  const { config } = context;
  await render(view, {
    format: config.output ?? (options.jq !== undefined ? "json" : stdout.isTerminal ? "table" : "tsv"),
    explicitFormat: config.output !== undefined,
    fields: options.fields,
    jq: options.jq,
    header: options.header ?? true,
    stdout,
    stderr,
    style: createStyle(options.color, context.env, stdout),
    now: context.now(),
    quiet: config.quiet,
  });
}
