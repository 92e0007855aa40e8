import { UsageError } from "../base/errors.ts";
import type { InnerCommand } from "../context.ts";

/** The commands that use the terminal or run others, and so cannot run inside another command. */
const unfit = new Set(["auth", "profiles", "sandbox", "batch", "each", "completion", "__complete", "state", "doctor"]);

const unfitVerbs = new Set(["hooks listen", "files edit", "settings edit"]);

/** Refuses a command that cannot run inside another one. */
export function refuseUnfit({ path, globals }: InnerCommand, inside: string): void {
  const [group = ""] = path;
  if (unfit.has(group) || unfitVerbs.has(path.join(" "))) {
    throw new UsageError(`${path.join(" ")} cannot be run by ${inside}`, { code: "unfit_command" });
  }
  const allowed = inside === "batch" ? ["yes", "header"] : ["header"];
  const others = globals.filter((name) => !allowed.includes(name));
  if (others.length === 0) return;
  const flags = others.map(flagOf).join(", ");
  throw new UsageError(`${flags}: give this to ${inside}, not to the command that it runs`, {
    hint: `put it before: forgectl ${inside} ${flags} ...`,
  });
}

/** A global option as it is typed. */
function flagOf(name: string): string {
  return name === "yes_for" ? "--yes=<profile>" : `--${name.replaceAll("_", "-")}`;
}
