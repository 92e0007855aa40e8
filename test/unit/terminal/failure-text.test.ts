import { describe, expect, test } from "vitest";
import { Failure, UsageError } from "../../../src/base/errors.ts";
import { renderFailure } from "../../../src/terminal/failure-text.ts";
import { loadStyle } from "../../../src/terminal/style.ts";
import { plain } from "./recorder.ts";

const redact = (text: string) => text;

const refused = new Failure("forbidden", "the tag was not deleted", {
  status: 403,
  method: "DELETE",
  path: "/projects/7/registry/repositories/12/tags/v1",
  reason: "this needs the Maintainer role in project 7",
  hint: "forgectl auth status",
  requestId: "01H",
  retryable: false,
});

describe("a failure as text", () => {
  test("says what failed, why, and what to do", () => {
    expect(renderFailure(refused, { json: false, redact, style: plain })).toBe(
      [
        "error: the tag was not deleted (DELETE /projects/7/registry/repositories/12/tags/v1 → 403)",
        "cause: this needs the Maintainer role in project 7",
        "try:   forgectl auth status",
        "request-id: 01H",
        "",
      ].join("\n"),
    );
  });

  test("omits unknown parts", () => {
    expect(renderFailure(new Failure("network", "no answer"), { json: false, redact, style: plain })).toBe(
      "error: no answer\n",
    );
    const partly = new Failure("network", "no answer", { method: "GET", path: "/user" });
    expect(renderFailure(partly, { json: false, redact, style: plain })).toBe("error: no answer (GET /user)\n");
    const status = new Failure("refused", "failed", { status: 500 });
    expect(renderFailure(status, { json: false, redact, style: plain })).toBe("error: failed (→ 500)\n");
  });

  test("lists field errors, one per line", () => {
    const error = new Failure("refused", "not saved", {
      fields: { name: ["is taken", "is short"], "a.b": ["is bad"] },
    });
    expect(renderFailure(error, { json: false, redact, style: plain })).toBe(
      "error: not saved\nfield: name: is taken\nfield: name: is short\nfield: a.b: is bad\n",
    );
  });

  test("a usage error names the help page", () => {
    const error = new UsageError("bad flag");
    expect(renderFailure(error, { json: false, redact, style: plain })).toBe("error: bad flag\n");
    error.command = "users list";
    expect(renderFailure(error, { json: false, redact, style: plain })).toBe(
      "error: bad flag\nsee:   forgectl users list --help\n",
    );
    error.command = "";
    expect(renderFailure(error, { json: false, redact, style: plain })).toBe(
      "error: bad flag\nsee:   forgectl --help\n",
    );
  });

  test("a server can neither control the terminal nor fake lines", () => {
    const error = new Failure("refused", "failed", { reason: "\u001b[2Jboo\ntry: rm -rf /\u202e" });
    expect(renderFailure(error, { json: false, redact, style: plain })).toBe(
      "error: failed\ncause: ␛[2Jboo\n       try: rm -rf /\\u202e\n",
    );
  });

  test("is colored where color is on", async () => {
    const style = await loadStyle("always", {}, { isTerminal: false });
    expect(renderFailure(new Failure("network", "no answer"), { json: false, redact, style })).toBe(
      "\u001b[1m\u001b[31merror:\u001b[39m\u001b[22m no answer\n",
    );
  });
});

describe("a failure as JSON", () => {
  test("has every key, even if unknown", () => {
    expect(JSON.parse(renderFailure(refused, { json: true, redact, style: plain }))).toEqual({
      error: {
        code: "forbidden",
        exit: 5,
        status: 403,
        method: "DELETE",
        path: "/projects/7/registry/repositories/12/tags/v1",
        message: "the tag was not deleted",
        cause: "this needs the Maintainer role in project 7",
        fields: null,
        hint: "forgectl auth status",
        retryable: false,
        outcome: null,
        outcome_text: null,
        request_id: "01H",
      },
    });
  });

  test("is one line, and a usage error hints at its help", () => {
    const error = new UsageError("bad\nflag");
    error.command = "users list";
    const text = renderFailure(error, { json: true, redact, style: plain });
    expect(text).toMatch(/^\{.*\}\n$/);
    expect(JSON.parse(text)).toEqual({
      error: {
        code: "usage",
        exit: 2,
        status: null,
        method: null,
        path: null,
        message: "bad\nflag",
        cause: null,
        fields: null,
        hint: "forgectl users list --help",
        retryable: false,
        outcome: null,
        outcome_text: null,
        request_id: null,
      },
    });
  });
});
