import type { Tone, Tones } from "../base/tone.ts";
import type { TerminalText } from "../host.ts";
import type { Column } from "./cells.ts";
import { pageOf } from "./links.ts";
import { type Paint, plainStyle, type Style, toned } from "./style.ts";

/** How a cell of a row is painted that says this; undefined where it is not. */
type Painter = (row: object, column: Column, text: TerminalText) => Paint | undefined;

/** Undefined where nothing is painted at all. */
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

/** A server's word may be that of a property which every object has. */
function toneOf(tones: Tones, word: string): Tone | undefined {
  return Object.hasOwn(tones, word) ? tones[word] : tones["*"];
}
