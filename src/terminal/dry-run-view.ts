import type { Passage } from "./view.ts";

interface Planned {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly file?: string;
}

/** A request of a dry run for people: method and address, headers, and body, neither cut nor wrapped. */
export function plannedPassage(row: object): Passage {
  const { method, url, headers = {}, body, file } = row as Planned;
  const lines = [
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === null || body === undefined ? [] : [typeof body === "string" ? body : JSON.stringify(body, null, 2)]),
    ...(file === undefined ? [] : [`to ${file}`]),
  ];
  return { heading: [`${method} ${url}`], text: lines.join("\n"), verbatim: true };
}
