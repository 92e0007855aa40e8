import type { Context } from "../context.ts";

/** Writes a file that was asked for, and says what became of it; a dry run writes none. */
export async function writeText(context: Context, path: string, text: string): Promise<"written" | "would be written"> {
  if (context.config.dryRun) return "would be written";
  await context.files.write(path, text);
  return "written";
}
