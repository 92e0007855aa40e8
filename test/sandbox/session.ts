import { directoryArea } from "../../src/sandbox/areas/places/directory.ts";
import { demoTokens } from "../../src/sandbox/areas/places/tokens.ts";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { startInstance } from "../../src/sandbox/server/instance.ts";
import type { SandboxOptions } from "../../src/sandbox/server/options.ts";
import type { Area } from "../../src/sandbox/server/router.ts";
import { startSandbox } from "../support/sandbox.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
  readonly json: any;
}

export interface Asking {
  readonly as?: keyof typeof demoTokens | null;
  readonly headers?: Record<string, string>;
  readonly body?: RequestInit["body"];
  readonly json?: unknown;
  readonly form?: string;
}

export interface Session {
  readonly sandbox: Sandbox;
  /** `ask("GET /users?page=2")`, below `/api/v4`, by default as the administrator. */
  ask(request: string, asking?: Asking): Promise<Answer>;
}

/** A sandbox as users start it, with copied demo data: its rows are frozen, so that a change in place is an error. */
export async function openSession(options: SandboxOptions = {}): Promise<Session> {
  return sessionWith(await startSandbox(options));
}

/** A sandbox with the demo directory, or the given areas, and an area of the test. */
export async function openWith(
  area: Area,
  options: SandboxOptions = {},
  others: readonly Area[] = [directoryArea],
): Promise<Session> {
  return sessionWith(await startInstance(options, [...others, area]));
}

function sessionWith(sandbox: Sandbox): Session {
  return {
    sandbox,
    async ask(request, { as = "administrator", headers = {}, body, json, form } = {}) {
      const [method = "", path = ""] = request.split(/ (.*)/s);
      const url = path.startsWith("/-/") ? sandbox.url + path.slice(2) : `${sandbox.url}/api/v4${path}`;
      const response = await fetch(url, {
        method,
        redirect: "manual",
        headers: {
          ...(as !== null && { "private-token": demoTokens[as] }),
          ...(json !== undefined && { "content-type": "application/json" }),
          ...(form !== undefined && { "content-type": "application/x-www-form-urlencoded" }),
          ...headers,
        },
        body: json === undefined ? (form ?? body ?? null) : JSON.stringify(json),
      });
      const text = await response.text();
      const isJson = response.headers.get("content-type") === "application/json" && text !== "";
      return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
    },
  };
}
