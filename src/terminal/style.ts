import type { Environment, TerminalText } from "../host.ts";
import { madeOf } from "./sanitize.ts";

type Paint = (text: TerminalText) => TerminalText;

export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
}

const same: Paint = (text) => text;
export const plainStyle: Style = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

/**
 * The style of one stream. `--color` decides alone; else the environment's wishes; else whether it is a terminal. chalk
 * paints, and is loaded only where there is color.
 *
 * @param when `always`, `never`; anything else leaves it to the rest
 */
export async function loadStyle(
  when: string | undefined,
  env: Environment,
  stream: { readonly isTerminal: boolean },
): Promise<Style> {
  const enabled = when === "always" || (when !== "never" && wanted(env, stream.isTerminal));
  if (!enabled) return plainStyle;
  const { Chalk } = await import("chalk");
  const chalk = new Chalk({ level: 1 });
  const painted =
    (paint: (text: string) => string): Paint =>
    (text) =>
      madeOf(text, paint);
  return {
    bold: painted(chalk.bold),
    dim: painted(chalk.dim),
    red: painted(chalk.red),
    green: painted(chalk.green),
    yellow: painted(chalk.yellow),
    cyan: painted(chalk.cyan),
  };
}

/** Who asks for no color is heard first, then who forces it (no-color.org, force-color.org, bixense.com/clicolors). */
function wanted(env: Environment, isTerminal: boolean): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== "0") return true;
  return isTerminal && env.CLICOLOR !== "0" && env.TERM !== "dumb";
}
