import type { CallOptions, PlannedRequest } from "./api.ts";
import { encodeBody } from "./body.ts";
import type { FailedCall } from "./failed-call.ts";
import { isChange } from "./outcome.ts";
import type { Redactor } from "./redact.ts";
import { type BuiltBody, type BuiltRequest, encodePairs } from "./request.ts";
import type { Look, WireRequest } from "./transport/message.ts";

/** Where requests go, and as whom. */
export interface Instance {
  /** Addresses without a trailing slash; a missing one is a UsageError that names the ways to configure it. */
  baseUrl(): string;
  registryUrl(): string;
  credential(): Promise<{ token: string; kind: "access" | "job"; source?: string } | undefined>;
  /** Prefix of the vendor's headers: `X-Service`. */
  headerPrefix: string;
  redactor: Redactor;
  /** See `WireRequest`; of every change, before that of the call. */
  afterWait?: Look;
  onRepeated?: () => void;
}

/** Adds the address, the credential, and the body to a built request. */
export function preparer(options: Instance) {
  return async (request: BuiltRequest, call: CallOptions) => {
    const special: Record<string, string> = {};
    for (const [name, value] of Object.entries({ ...request.headers, ...call.headers })) {
      special[name.toLowerCase().replace(/^x-service(?=-)/, options.headerPrefix.toLowerCase())] = value;
    }
    const headers: Record<string, string> = { accept: "application/json", ...special };
    let credential: FailedCall["credential"] = "none";
    let tokenSource: string | undefined;
    if (call.authorization !== undefined) {
      options.redactor.addAuthorization(call.authorization);
      headers.authorization = call.authorization;
      credential = "given";
    } else if (call.signedIn !== undefined) credential = call.signedIn;
    else if (request.base === "api") {
      const found = await options.credential();
      if (found !== undefined) {
        options.redactor.add(found.token);
        headers[found.kind === "job" ? "job-token" : "private-token"] = found.token;
        credential = found.kind;
        tokenSource = found.source;
      }
    }
    const address = request.base === "registry" ? options.registryUrl() : options.baseUrl();
    const wire: WireRequest = {
      method: request.method,
      url: address + (request.base === "api" ? "/api/v4" : "") + request.path,
      headers,
      secretHeaders: ["private-token", "job-token", "authorization"],
      root: new URL(address).pathname.replace(/\/$/, ""),
      once: request.once === true,
      whole: request.whole ?? false,
      onRepeated: call.onRepeated,
      afterWait: isChange(request.method) ? inTurn(options.afterWait, call.afterWait) : undefined,
      ...(request.base === "registry" && { addressName: "the registry URL" }),
    };
    if (request.body !== undefined) {
      const encoded = encodeBody(request.body);
      headers["content-type"] = encoded.contentType;
      wire.body = encoded.body;
    }
    return { wire, credential, tokenSource, special };
  };
}

function inTurn(first: Look | undefined, second: Look | undefined): Look | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return async () => {
    await first();
    await second();
  };
}

interface Prepared {
  wire: WireRequest;
  /** The headers that are specific to a request. */
  special: Record<string, string>;
}

/** A request of a dry run, with its secrets redacted. */
export function describe({ wire, special }: Prepared, body: BuiltBody | undefined, redactor: Redactor): PlannedRequest {
  // The `Accept` header has no effect on a change.
  const { accept: _, ...headers } = special;
  const secret = body?.kind === "json" ? body.secret : undefined;
  return {
    method: wire.method,
    url: redactor.url(wire.url),
    // A form has the syntax of a query, and is redacted like one.
    body:
      body?.kind === "form"
        ? redactor.url(`?${encodePairs(body.pairs)}`).slice(1)
        : redactor.json(bodyAsShown(body), secret),
    ...(Object.keys(headers).length > 0 && { headers: redactor.headers(headers) }),
  };
}

function bodyAsShown(body: Exclude<BuiltBody, { kind: "form" }> | undefined): unknown {
  if (body === undefined) return null;
  if (body.kind === "json") return body.value;
  if (body.kind === "raw") return `${body.contentType}, ${body.body.size} bytes`;
  const shown: Record<string, string> = Object.fromEntries(body.pairs);
  if (body.file !== undefined) {
    shown[body.file.name] = `${body.file.source.name} (${body.file.source.size} bytes)`;
  }
  return shown;
}
