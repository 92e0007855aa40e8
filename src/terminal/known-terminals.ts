import type { Environment } from "../host.ts";

/** Variables set only by terminals that support links. */
const own = [
  "WT_SESSION",
  "KITTY_WINDOW_ID",
  "WEZTERM_PANE",
  "GHOSTTY_RESOURCES_DIR",
  "ALACRITTY_WINDOW_ID",
  "DOMTERM",
];
const programs = new Set(["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "Tabby", "mintty", "rio"]);
const types = new Set(["xterm-kitty", "xterm-ghostty", "foot", "foot-extra", "alacritty", "wezterm", "contour"]);

/** Whether the terminal is known to support links, or `FORGECTL_HYPERLINKS` says so. */
export function takesLinks(env: Environment): boolean {
  const { FORGECTL_HYPERLINKS: said, TERM = "", TERM_PROGRAM = "", TERM_PROGRAM_VERSION = "" } = env;
  if (said) return said !== "0";
  // Inside tmux and screen, the variables of the outer terminal are visible too.
  if (env.TMUX || env.STY || /^(?:screen|tmux)/.test(TERM)) {
    return TERM_PROGRAM === "tmux" && Number.parseFloat(TERM_PROGRAM_VERSION) >= 3.4;
  }
  if (env.NO_COLOR || TERM === "dumb") return false;
  if (own.some((name) => env[name]) || programs.has(TERM_PROGRAM) || types.has(TERM)) return true;
  // VTE 0.50 and Konsole 20.12 or later.
  return Number(env.VTE_VERSION) >= 5000 || Number(env.KONSOLE_VERSION) >= 201_200;
}
