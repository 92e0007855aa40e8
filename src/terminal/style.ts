import type { Tone } from "../base/tone.ts";
import type { Environment, TerminalText } from "../host.ts";
import { takesLinks } from "./known-terminals.ts";
import { madeOf } from "./sanitize.ts";
import { type Signs, signsOf, unicodeSigns } from "./signs.ts";

export type Paint = (text: TerminalText) => TerminalText;

export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
  /** A link (OSC 8), if the terminal supports them; it has no width. The address must come from `linkable`. */
  readonly link: (text: TerminalText, address: string) => TerminalText;
  readonly signs: Signs;
}

const same: Paint = (text) => text;
export const plainStyle: Style = {
  bold: same,
  dim: same,
  red: same,
  green: same,
  yellow: same,
  cyan: same,
  link: same,
  signs: unicodeSigns,
};

/** The colors of tones, and of the parts of JSON and help. */
const palette = { good: "green", doubtful: "yellow", bad: "red", quiet: "dim" } as const satisfies Record<
  Tone,
  keyof Style
>;
export const jsonPalette = { name: "cyan", text: "green", word: "yellow", nothing: "dim" } as const;
export const helpPalette = { heading: "bold", placeholder: "cyan" } as const;

export function toned(style: Style, tone: Tone): Paint {
  return style[palette[tone]];
}

/** Paints the label of a line, such as `error:` or `warning:`. */
export function labeled(style: Style, tone: "doubtful" | "bad", label: TerminalText): TerminalText {
  return style.bold(toned(style, tone)(label));
}

/**
 * The style of one stream. `--color` takes precedence, then the environment, then whether it is a terminal. chalk is
 * loaded only if there is color.
 *
 * @param when `always` or `never`; any other value means automatic
 */
export async function loadStyle(
  when: string | undefined,
  env: Environment,
  stream: { readonly isTerminal: boolean },
): Promise<Style> {
  const enabled = isColored(when, env, stream);
  const linked = when !== "never" && stream.isTerminal && takesLinks(env);
  const link = linked ? linkTo : plainStyle.link;
  const signs = signsOf(env);
  if (!enabled) return linked || signs !== unicodeSigns ? { ...plainStyle, link, signs } : plainStyle;
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
    link,
    signs,
  };
}

/** The style of help and warnings, which any start may print: their colors, without loading a package. */
export function startStyle(
  when: string | undefined,
  env: Environment,
  stream: { readonly isTerminal: boolean },
): Style {
  if (!isColored(when, env, stream)) return plainStyle;
  return { ...plainStyle, bold: coded(1, 22), cyan: coded(36, 39), yellow: coded(33, 39) };
}

function coded(on: number, off: number): Paint {
  return (text) => (text === "" ? text : madeOf(text, (painted) => `\u001b[${on}m${painted}\u001b[${off}m`));
}

function linkTo(text: TerminalText, address: string): TerminalText {
  const end = "\u001b\\";
  return madeOf(text, (name) => `\u001b]8;;${address}${end}${name}\u001b]8;;${end}`);
}

function isColored(when: string | undefined, env: Environment, stream: { readonly isTerminal: boolean }): boolean {
  return when === "always" || (when !== "never" && wanted(env, stream.isTerminal));
}

/** NO_COLOR takes precedence over FORCE_COLOR (no-color.org, force-color.org, bixense.com/clicolors). */
function wanted(env: Environment, isTerminal: boolean): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== "0") return true;
  return isTerminal && env.CLICOLOR !== "0" && env.TERM !== "dumb";
}
