import {
  array,
  boolean,
  hash,
  oneOf,
  type Param,
  type Params,
  required,
  string,
  type Values,
} from "../../server/params.ts";
import { type FieldErrors, invalid } from "../../server/problem.ts";
import type { World } from "../../store/world.ts";
import { settingOf } from "../settings/routes.ts";
import { isPattern } from "./branches.ts";
import { branchStrategies, deployedKinds, type HookFlags, type HookKind, kindNames } from "./model.ts";
import { isLoopback } from "./send.ts";

type FlagParams = { readonly [K in keyof HookFlags]: Param<boolean | undefined> };
const flags = Object.fromEntries(kindNames.map((kind: HookKind) => [`${kind}_events`, boolean()])) as FlagParams;

type DeployedFlagParams = {
  readonly [K in (typeof deployedKinds)[number] as `${K}_events`]: Param<boolean | undefined>;
};
const deployedFlags = Object.fromEntries(
  deployedKinds.map((kind) => [`${kind}_events`, boolean()]),
) as DeployedFlagParams;

/** The parameters of a hook; `url` is required both to create and to change one. */
export const hookParams = {
  url: required(string({ min: 1, max: 2048 })),
  name: string({ max: 255 }),
  description: string({ max: 2048 }),
  ...flags,
  ...deployedFlags,
  push_events_branch_filter: string({ max: 5000 }),
  branch_filter_strategy: oneOf(branchStrategies),
  enable_ssl_verification: boolean(),
  token: string({ max: 2048 }),
  custom_webhook_template: string({ max: 4096 }),
  custom_headers: array(hash({ key: required(string({ min: 1, max: 255 })), value: required(string({ max: 2048 })) })),
} satisfies Params;

export type HookValues = Values<typeof hookParams>;

/** Throws the 400 for well-formed values that are not valid for a hook. */
export function checkHook(world: World, values: HookValues, strategy: string): void {
  const errors: Record<string, readonly string[]> = {};
  const note = (name: keyof HookValues, error: string | undefined) => {
    if (error !== undefined) errors[name] = [error];
  };
  note("url", urlError(world, values.url));
  note("token", /[\r\n]/.test(values.token ?? "") ? "is invalid" : undefined);
  note("custom_headers", headersError(values.custom_headers ?? []));
  const filter = values.push_events_branch_filter ?? "";
  if (strategy === "regex" && !isPattern(filter)) {
    note("push_events_branch_filter", "is not a valid regular expression");
  }
  if (Object.keys(errors).length > 0) throw invalid(errors satisfies FieldErrors);
}

/** A header name (a token in HTTP). */
const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;

function headersError(headers: readonly { readonly key: string; readonly value: string }[]): string | undefined {
  if (headers.length > 20) return "too many: at most 20";
  const wrong = headers.find(({ key, value }) => !headerName.test(key) || /[^\t\x20-\x7e\x80-\xff]/.test(value));
  return wrong === undefined ? undefined : `${wrong.key} is not a valid header`;
}

/** A host of a URL that is an address; a name may begin with the same digits. */
const privateAddress =
  /^(?:(?:10|0)\.\d+\.\d+|192\.168\.\d+|169\.254\.\d+|172\.(?:1[6-9]|2\d|3[01])\.\d+)\.\d+$|^\[(?:f[cd]|fe[89ab])/;

/** Hooks may not reach the local network unless a setting allows it; loopback is allowed in a sandbox. */
function urlError(world: World, text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || /[\s\0]/.test(text)) return "is invalid";
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return "is blocked: Only allowed schemes are http, https";
  }
  const isOpen = settingOf(world, "allow_local_requests_from_web_hooks_and_services") === true;
  if (isOpen || isLoopback(url.hostname) || !privateAddress.test(url.hostname)) return undefined;
  return "is blocked: Requests to the local network are not allowed";
}
