import type { Environment, TerminalText } from "../host.ts";
import { safe } from "./sanitize.ts";

type Paint = (text: TerminalText) => TerminalText;

export interface Style {
  readonly enabled: boolean;
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly cyan: Paint;
}

/**
 * The style of one stream. `--color` decides alone; else the environment's wishes; else whether it is a terminal.
 *
 * @param when `always`, `never`; anything else leaves it to the rest
 */
export function createStyle(
  when: string | undefined,
  env: Environment,
  stream: { readonly isTerminal: boolean },
): Style {
  const enabled = when === "always" || (when !== "never" && wanted(env, stream.isTerminal));
  const paint =
    (open: number, close: number): Paint =>
    (text) =>
      enabled && text !== "" ? safe`\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    enabled,
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    cyan: paint(36, 39),
  };
}

/** Who asks for no color is heard first, then who forces it (no-color.org, force-color.org, bixense.com/clicolors). */
function wanted(env: Environment, isTerminal: boolean): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== "0") return true;
  return isTerminal && env.CLICOLOR !== "0" && env.TERM !== "dumb";
}
