/** The errors of each property; nested properties nest (1-project-api: Errors). */
export interface FieldErrors {
  readonly [property: string]: readonly string[] | FieldErrors;
}

/** An error answer. Thrown anywhere below a route; the body is sent unchanged. */
export class Problem extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    super(`status ${status}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** 400 with a sentence. */
export function badRequest(message: string): Problem {
  return new Problem(400, { message: `400 Bad request - ${message}` });
}

/** 400 for a required attribute that was not given: `message` is a string that names it (1-project-api: Errors). */
export function missing(attribute: string): Problem {
  return new Problem(400, { message: `400 (Bad request) "${attribute}" not given` });
}

/** 400 for attributes that failed validation: `message` maps each to its errors (1-project-api: Errors). */
export function invalid(errors: FieldErrors): Problem {
  return new Problem(400, { message: errors });
}

export function unauthorized(): Problem {
  return new Problem(401, { message: "401 Unauthorized" });
}

/** 401 for a token that is no longer valid. */
export function invalidToken(description: string): Problem {
  return new Problem(401, { error: "invalid_token", error_description: description });
}

export function forbidden(reason?: string): Problem {
  return new Problem(403, { message: reason === undefined ? "403 Forbidden" : `403 Forbidden - ${reason}` });
}

/** 403 for a token without the scope. `scope` lists the sufficient scopes, separated by spaces. */
export function insufficientScope(scope: string): Problem {
  return new Problem(403, {
    error: "insufficient_scope",
    error_description: "The request requires higher privileges than provided by the access token.",
    scope,
  });
}

/** 404 for a resource of the kind named, as in `404 Project Not Found`. */
export function notFound(kind?: string): Problem {
  return new Problem(404, { message: kind === undefined ? "404 Not Found" : `404 ${kind} Not Found` });
}

/** 405 with the methods that the path supports. */
export function methodNotAllowed(allowed: readonly string[]): Problem {
  return new Problem(405, { error: "405 Not Allowed" }, { allow: allowed.join(", ") });
}

/** 409 with a sentence. */
export function conflict(reason: string): Problem {
  return new Problem(409, { message: `409 Conflict - ${reason}` });
}

export function preconditionFailed(): Problem {
  return new Problem(412, { message: "412 Precondition Failed" });
}

export function tooLarge(): Problem {
  return new Problem(413, { message: "413 Request Entity Too Large" });
}

/** 422 with any JSON as the message. */
export function unprocessable(message: unknown): Problem {
  return new Problem(422, { message });
}
