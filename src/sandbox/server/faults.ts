/** A fault: its action, the requests it applies to, and how often. See {@link parseFault} for the syntax. */
export interface FaultSpec {
  /** Upper-case method; undefined matches every method. */
  readonly method?: string;
  /** Glob over the path, with or without `/api/v4`; undefined matches every path. */
  readonly path?: string;
  readonly action: FaultAction;
  /** The number of requests it applies to; Infinity for always. */
  readonly count: number;
}

export type FaultAction =
  | { readonly kind: "status"; readonly status: number; readonly retryAfter?: string }
  | { readonly kind: "redirect"; readonly status: number; readonly to: string }
  | { readonly kind: "html"; readonly status: number }
  | { readonly kind: "delay" | "slow"; readonly ms: number }
  | { readonly kind: "reset" | "truncate" | "hang" };

/** Thrown by {@link parseFault}; the message says what is invalid and what is allowed. */
export class FaultSpecError extends Error {
  override readonly name = "FaultSpecError";
}

const TARGET = /^(?:([A-Za-z]+)(?:\s+|(?=\s*=)))?(\/[^\s=]*)?\s*=\s*(.*)$/;
const ACTION = /^([a-z]+|\d{3})(?::(.*?))?(?:\s*\*\s*(\d+|always))?$/;
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/**
 * Parses faults in the syntax of `--fault`: `[METHOD] [PATH] = ACTION[:OPTION=VALUE,...][*COUNT]`, several separated by
 * `;`. A fault without METHOD and PATH (and then without `=`) applies to any request; COUNT is a number, 1 by default,
 * or `always`. A request gets the first matching fault that is not used up.
 *
 * PATH is the part after `/api/v4`: `*` is one segment, `**` any number of them. The actions:
 * - a status from 400 to 599, such as `503` or `429:retry-after=1` (seconds, or an HTTP date without comma or `;`);
 *   the sandbox does not process the request
 * - `reset`: the connection is reset before the request is processed
 * - `hang`: no answer, until the client gives up
 * - `html`, `html:status=200`: a proxy's error page, 502 by default
 * - `redirect:to=URL`, `redirect:status=301,to=URL`: 302 by default
 * - `delay:ms=1500`: the answer starts late (1000 by default)
 * - `slow:ms=5000`: the body takes that long (2000 by default)
 * - `truncate`: the connection closes in the middle of the body
 *
 * Examples: `GET /users=503*2`, `/projects/7/**=slow:ms=500*always`, `reset; 429:retry-after=1`.
 *
 * @throws FaultSpecError naming the invalid part
 */
export function parseFault(text: string): FaultSpec[] {
  const parts = text.split(";").map((part) => part.trim());
  return parts.filter((part) => part !== "").map(parseOne);
}

function parseOne(part: string): FaultSpec {
  const direct = ACTION.test(part) ? part : undefined;
  const target = direct === undefined ? TARGET.exec(part) : undefined;
  if (target === null) {
    throw new FaultSpecError(
      `"${part}" is not a fault: write [METHOD] [PATH] = ACTION[*COUNT], as in GET /users=503*2`,
    );
  }
  const [, method, path, rest = ""] = target ?? [undefined, undefined, undefined, direct];
  if (method !== undefined && !METHODS.includes(method.toUpperCase())) {
    throw new FaultSpecError(`"${method}" in "${part}" is not a method: use one of ${METHODS.join(", ")}`);
  }
  const action = ACTION.exec(rest);
  if (action === null) throw new FaultSpecError(`"${rest}" in "${part}" is not an action: ${ALLOWED}`);
  const count = action[3] === undefined ? 1 : action[3] === "always" ? Number.POSITIVE_INFINITY : Number(action[3]);
  if (count < 1) throw new FaultSpecError(`the count in "${part}" must be at least 1, or "always"`);
  return {
    ...(method !== undefined && { method: method.toUpperCase() }),
    ...(path !== undefined && { path }),
    action: parseAction(action[1] ?? "", parseOptions(action[2], part), part),
    count,
  };
}

const ALLOWED = "use a status from 400 to 599, reset, hang, html, redirect, delay, slow, or truncate";

function parseOptions(text: string | undefined, part: string): Map<string, string> {
  const options = new Map<string, string>();
  for (const option of text === undefined ? [] : text.split(",")) {
    const equals = option.indexOf("=");
    if (equals < 1) throw new FaultSpecError(`"${option}" in "${part}" is not an option: write name=value`);
    options.set(option.slice(0, equals).trim(), option.slice(equals + 1).trim());
  }
  return options;
}

function parseAction(word: string, options: Map<string, string>, part: string): FaultAction {
  const only = (...names: readonly string[]) => {
    const unknown = [...options.keys()].find((name) => !names.includes(name));
    if (unknown === undefined) return;
    const hint = names.length === 0 ? "takes no options" : `takes ${names.join(" and ")}`;
    throw new FaultSpecError(`"${unknown}" in "${part}" is not an option of ${word}: it ${hint}`);
  };
  const whole = (name: string, unless: number, from: number, to: number) => {
    const text = options.get(name) ?? String(unless);
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= from && value <= to) return value;
    throw new FaultSpecError(`${name} in "${part}" must be a whole number from ${from} to ${to}`);
  };
  switch (word) {
    case "reset":
    case "hang":
    case "truncate":
      only();
      return { kind: word };
    case "delay":
    case "slow":
      only("ms");
      return { kind: word, ms: whole("ms", word === "slow" ? 2000 : 1000, 0, 3_600_000) };
    case "html":
      only("status");
      return { kind: word, status: whole("status", 502, 200, 599) };
    case "redirect": {
      only("status", "to");
      const to = options.get("to");
      if (to === undefined || to === "")
        throw new FaultSpecError(`the redirect in "${part}" needs its address: redirect:to=URL`);
      return { kind: word, to, status: whole("status", 302, 300, 399) };
    }
  }
  only("retry-after");
  const status = Number(word);
  if (!(status >= 400 && status <= 599))
    throw new FaultSpecError(`"${word}" in "${part}" is not an action: ${ALLOWED}`);
  const retryAfter = options.get("retry-after");
  return { kind: "status", status, ...(retryAfter !== undefined && { retryAfter }) };
}

/** Applies faults in order, each up to its count. */
export class Faults {
  readonly #left: { readonly spec: FaultSpec; readonly path: RegExp; count: number }[];

  constructor(specs: readonly FaultSpec[]) {
    this.#left = specs.map((spec) => ({ spec, path: globToRegExp(spec.path ?? "/**"), count: spec.count }));
  }

  /** The fault for a request, if any; `path` is as sent, without the query. */
  take(method: string, path: string): FaultAction | undefined {
    const short = path.replace(/^.*?\/api\/v4(?=\/)/, "");
    const hit = this.#left.find(
      ({ spec, path: glob, count }) =>
        count > 0 && (spec.method ?? method) === method && (glob.test(short) || glob.test(path)),
    );
    if (hit === undefined) return undefined;
    hit.count -= 1;
    return hit.spec.action;
  }
}

function globToRegExp(glob: string): RegExp {
  const source = glob.replace(/\*\*|\*|[\\^$.|?+()[\]{}]/g, (match) =>
    match === "**" ? ".*" : match === "*" ? "[^/]*" : `\\${match}`,
  );
  return new RegExp(`^${source}/?$`);
}
