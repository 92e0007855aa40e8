import { UsageError } from "../base/errors.ts";

/** The folder the program was started in. Throws a UsageError if it was removed, or may not be looked up. */
export function workingFolder(host: NodeJS.Process): string {
  try {
    return host.cwd();
  } catch (error) {
    throw new UsageError("the current folder no longer exists, or cannot be read", {
      code: "no_current_folder",
      reason: `it was removed or replaced after the shell entered it (${(error as NodeJS.ErrnoException).code})`,
      hint: "cd to a folder that exists",
      cause: error,
    });
  }
}
