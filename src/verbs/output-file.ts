import type { Context } from "../context.ts";

/** Writes a requested file, and returns the outcome; a dry run writes nothing. */
export async function writeText(context: Context, path: string, text: string): Promise<"written" | "would be written"> {
  if (context.config.dryRun) return "would be written";
  await context.files.write(path, text);
  return "written";
}
