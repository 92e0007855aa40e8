import type { TerminalText } from "../host.ts";
import type { Column } from "./cells.ts";
import { type Paint, plainStyle, type Style, toned } from "./style.ts";

/** How a cell is painted that says this; undefined where it is not. */
export type Painter = (column: Pick<Column, "field">, text: TerminalText) => Paint | undefined;

/** Undefined where nothing is painted at all. */
export function painterOf(style: Style): Painter | undefined {
  if (style === plainStyle) return undefined;
  return ({ field }, text) => {
    const tone = field?.tones?.[text] ?? (text === "-" ? undefined : field?.tones?.["*"]);
    return tone && toned(style, tone);
  };
}
