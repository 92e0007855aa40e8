import type { Endpoint } from "../../src/api/endpoint.ts";
import type { Fields } from "../../src/api/field.ts";
import type { Sandbox } from "../../src/sandbox/index.ts";

/**
 * One endpoint called against the sandbox. The calls of a file run in order on one sandbox, so that a later one may
 * build on an earlier one; each must succeed.
 */
export interface Call {
  endpoint: Endpoint<never, unknown, Fields>;
  input: object;
  /** The demo token it is sent with; the administrator's by default. */
  as: keyof Sandbox["tokens"];
  /** Signs in with this instead: the registry's own tokens and credentials. */
  authorization: Authorization | undefined;
}

/** Some calls must first request a token from the sandbox. */
type Authorization = string | ((sandbox: Sandbox) => Promise<string>);

export function call<I>(
  endpoint: Endpoint<I, unknown, Fields>,
  input: NoInfer<I>,
  options: Partial<Pick<Call, "as" | "authorization">> = {},
): Call {
  return {
    endpoint: endpoint as Call["endpoint"],
    input: input as object,
    as: options.as ?? "administrator",
    authorization: options.authorization,
  };
}
