import type { Tone, Tones } from "../base/tone.ts";
import type { TerminalText } from "../host.ts";
import type { Column } from "./cells.ts";
import { pageOf } from "./links.ts";
import { type Paint, plainStyle, type Style, toned } from "./style.ts";

/** How a cell with this text is painted; undefined if it is not. */
type Painter = (row: object, column: Column, text: TerminalText) => Paint | undefined;

/** Chooses the color or link of each cell; undefined if the style has no color. */
export function painterOf(style: Style): Painter | undefined {
  if (style === plainStyle) return undefined;
  return (row, { names, field }, text) => {
    if (text === "-") return undefined;
    const tone = toneOf(field?.tones ?? {}, text);
    if (tone !== undefined) return toned(style, tone);
    const page = pageOf(row, names);
    return page === undefined ? undefined : (name) => style.link(name, page);
  };
}

/** A server's text may equal an inherited property name such as `constructor`. */
function toneOf(tones: Tones, word: string): Tone | undefined {
  return Object.hasOwn(tones, word) ? tones[word] : tones["*"];
}
