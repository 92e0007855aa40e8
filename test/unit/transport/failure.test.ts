import { describe, expect, test } from "vitest";
import { Broken, changedMeanwhile, ProxyFailure } from "../../../src/api/transport/broken-exchange.ts";
import {
  damaged,
  interrupted,
  isPermanent,
  isUnreachable,
  networkFailure,
  type Subject,
  tooLarge,
} from "../../../src/api/transport/network-failure.ts";

const read: Subject = { method: "GET", host: "forge.example:443", path: "/api/v4/user", timeoutMs: 30_000 };
const write: Subject = { ...read, method: "POST" };
const coded = (code: string) => Object.assign(new Error("x"), { code });
const foreign = Object.assign(new Error("x"), { name: "HTTPParserError" });
const connect = (cause?: unknown) => new Broken("connect", { cause });
const answer = (cause?: unknown) => new Broken("answer", { cause });
const body = new Broken("body", { received: 1234 });
const unknown = { outcome: "unknown", retryable: false };
const made = { outcome: "made", retryable: false };
const again = { retryable: true };

/** A part of the message, a part of the hint, whether the request may be repeated, and whether it is tried again. */
const causes: [string, Broken, RegExp, RegExp | undefined, boolean, boolean][] = [
  ["no name", connect(coded("ENOTFOUND")), /does not exist \(DNS\)$/, /check the base URL for a typo/, true, false],
  ["no name now", connect(coded("EAI_AGAIN")), /could not be looked up/, /forgectl doctor/, true, false],
  ["refused", connect(coded("ECONNREFUSED")), /^forge.example:443 refused the connection$/, /is up/, true, false],
  ["one of several", connect({ errors: [coded("ECONNREFUSED"), coded("EHOSTUNREACH")] }), /refused/, /up/, true, false],
  ["no error of several", connect({ errors: [] }), /could not be opened$/, /up/, true, false],
  ["an odd code", connect({ code: 7 }), /could not be opened$/, /up/, true, false],
  ["ETIMEDOUT", connect(coded("ETIMEDOUT")), /cannot be reached \(ETIMEDOUT\)$/, /up/, true, false],
  ["EHOSTUNREACH", connect(coded("EHOSTUNREACH")), /cannot be reached \(EHOSTUNREACH\)$/, /up/, true, false],
  ["ENETUNREACH", connect(coded("ENETUNREACH")), /cannot be reached/, /up/, true, false],
  ["ENETDOWN", connect(coded("ENETDOWN")), /cannot be reached/, /up/, true, false],
  ["EHOSTDOWN", connect(coded("EHOSTDOWN")), /cannot be reached/, /up/, true, false],
  ["self-signed", connect(coded("DEPTH_ZERO_SELF_SIGNED_CERT")), /is not trusted/, /--ca-file/, false, true],
  ["another name", connect(coded("ERR_TLS_CERT_ALTNAME_INVALID")), /for another host name/, /host name/, false, true],
  ["expired", connect(coded("CERT_HAS_EXPIRED")), /has expired/, /administrator/, false, true],
  ["not yet", connect(coded("CERT_NOT_YET_VALID")), /not valid yet/, /clock/, false, true],
  ["revoked", connect(coded("CERT_REVOKED")), /is not valid \(CERT_REVOKED\)/, undefined, false, true],
  ["required", answer(coded("ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED")), /a client cert/, /cert-file/, true, true],
  ["unknown CA", answer(coded("ERR_SSL_TLSV1_ALERT_UNKNOWN_CA")), /a client certificate/, /cert-file/, true, true],
  ["handshake", answer(coded("ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE")), /a client cert/, /cert-file/, true, true],
  ["no TLS", connect(coded("ERR_SSL_WRONG_VERSION_NUMBER")), /does not speak TLS/, /https/, true, true],
  ["EPROTO", connect(coded("EPROTO")), /does not speak TLS as expected \(EPROTO\)/, /https/, true, true],
  ["long headers", answer(coded("UND_ERR_HEADERS_OVERFLOW")), /headers of more than 16 KiB$/, undefined, true, true],
  ["not HTTP", answer(foreign), /something that is not HTTP$/, /forgectl doctor/, true, true],
  ["cut", answer(coded("ECONNRESET")), /broke before an answer arrived \(ECONNRESET\)$/, /up/, true, false],
  ["cut at the start", connect(coded("ECONNRESET")), /could not be opened \(ECONNRESET\)$/, /up/, true, false],
  ["no cause", answer(), /broke before an answer arrived$/, /up/, true, false],
  ["a cut body", body, /broke after 1234 bytes of the answer's body$/, undefined, true, false],
];

test.each(causes)(
  "%s: what is said of a read, and whether it is tried again",
  (_, broken, text, hint, retry, stops) => {
    const { exit, message, details } = networkFailure(broken, read);
    expect([exit, details.method, details.path]).toEqual(["network", "GET", "/api/v4/user"]);
    expect(message).toMatch(text);
    if (hint === undefined) expect(details.hint).toBeUndefined();
    else expect(details.hint).toMatch(hint);
    expect([details.retryable, details.outcome, details.reason]).toEqual([retry, undefined, undefined]);
    expect(isPermanent(broken)).toBe(stops);
  },
);

test("an address from which nothing has come yet is named as such", () => {
  expect(networkFailure(connect(), { ...read, unreached: true }).details.unreached).toBe(true);
  expect(networkFailure(connect(), { ...read, unreached: false }).details).not.toHaveProperty("unreached");
});

test("only a name that does not exist, and an address where nothing listens, are unreachable", () => {
  const found = causes.filter(([, broken]) => isUnreachable(broken)).map(([name]) => name);
  expect(found).toEqual(["no name", "refused", "one of several"]);
  expect(isUnreachable(connect(new ProxyFailure("http://p", coded("ECONNREFUSED"))))).toBe(true);
});

describe("no answer in time", () => {
  test.each<["connect" | "answer" | "body", RegExp]>([
    ["connect", /^no connection to forge.example:443 within 30 s$/],
    ["answer", /^no answer from forge.example:443 within 30 s$/],
    ["body", /^nothing more was received from forge.example:443 for 30 s, after 7 bytes/],
  ])("at %s", (stage, text) => {
    const failure = networkFailure(new Broken(stage, { timedOut: true, received: 7 }), read);
    expect(failure.message).toMatch(text);
    expect(failure.details).toMatchObject({ hint: "set a longer --timeout <seconds>", retryable: true });
  });
});

describe("a proxy", () => {
  const through = (cause?: unknown, status?: number) => connect(new ProxyFailure("http://p:1", cause, status));
  test.each<[Broken, RegExp, RegExp, boolean]>([
    [
      through(coded("ECONNREFUSED")),
      /^the proxy http:\/\/p:1 could not be used .*\(ECONNREFUSED\)$/,
      /NO_PROXY/,
      false,
    ],
    [through(), /could not be used to reach forge.example:443 \(no answer\)$/, /HTTPS_PROXY/, false],
    [through(undefined, 407), /did not open a tunnel.*407/, /user and password/, true],
    [through(undefined, 403), /did not open a tunnel.*403/, /NO_PROXY/, true],
    [through(undefined, 500), /did not open a tunnel.*500/, /NO_PROXY/, false],
    [through(coded("CERT_HAS_EXPIRED")), /could not be used/, /NO_PROXY/, true],
  ])("%#", (broken, text, hint, stops) => {
    const { message, details } = networkFailure(broken, read);
    expect(message).toMatch(text);
    expect(details.hint).toMatch(hint);
    expect(isPermanent(broken)).toBe(stops);
  });
});

describe("the address that is to be checked", () => {
  const hintOf = (more: Partial<Subject>, code = "ENOTFOUND") =>
    networkFailure(connect(coded(code)), { ...read, ...more }).details.hint;

  test("is that of the registry, if it was asked", () => {
    expect(hintOf({ addressName: "the registry URL" })).toBe("check the registry URL for a typo");
  });

  test("is not the configured one, if the instance redirected to another", () => {
    expect(hintOf({ redirectedBy: "a.example" })).toContain("the instance redirected to that address");
    expect(hintOf({ redirectedBy: "a.example" }, "CERT_HAS_EXPIRED")).toBe("tell the instance's administrator");
    const { details } = networkFailure(connect(), { ...read, redirectedBy: "a.example" }, 3);
    expect(details.reason).toBe("a.example redirected the request to it; 3 attempts were made");
  });
});

describe("the outcome of a change", () => {
  test.each<[string, Broken, Partial<Subject>, object]>([
    ["was not sent", connect(coded("ECONNREFUSED")), {}, again],
    ["was sent", answer(), {}, unknown],
    ["was sent before", connect(), { lost: true }, unknown],
    ["was accepted", body, { status: 200 }, made],
    ["was accepted, at the last status", body, { status: 299 }, made],
    ["was redirected", body, { status: 300 }, again],
    ["was refused", body, { status: 400 }, again],
    ["has no status yet", body, { status: 199 }, unknown],
    ["a certificate is wrong", connect(coded("CERT_HAS_EXPIRED")), {}, { retryable: false }],
  ])("%s", (_, broken, more, outcome) => {
    const { retryable, outcome: known, reason, hint } = networkFailure(broken, { ...write, ...more }).details;
    expect({ retryable, ...(known && { outcome: known }) }).toEqual(outcome);
    expect(reason).toBeUndefined();
    if (known !== undefined) expect(hint).toBeUndefined();
  });

  test("a read has none, even if an earlier attempt was sent", () => {
    expect(networkFailure(answer(), { ...read, lost: true, status: 200 }, 2).details).toMatchObject({
      retryable: true,
      reason: "2 attempts were made",
    });
  });

  test("an interrupt leaves open what was sent", () => {
    expect(interrupted(write, true).details).toMatchObject({ ...unknown, path: read.path, method: "POST" });
    for (const failure of [interrupted(write), interrupted(read, true)]) {
      expect([failure.exit, failure.message]).toEqual(["interrupted", "interrupted"]);
      expect([failure.details.outcome, failure.details.retryable]).toEqual([undefined, undefined]);
    }
  });

  test("a change was made whose answer is too large", () => {
    expect(tooLarge(write, 3 * 1024 ** 2)).toMatchObject({ exit: "refused", code: "answer_too_large", details: made });
    expect(tooLarge(read, 3 * 1024 ** 2).message).toBe("the answer of forge.example:443 is larger than 3 MiB");
    expect(tooLarge(read, 1).details).not.toHaveProperty("outcome");
    expect(tooLarge(read, 1).details.retryable).toBe(false);
  });

  test("so was one whose answer is damaged, unless it was refused", () => {
    const cause = new Error("x");
    expect(damaged({ ...write, status: 201 }, "it is cut", cause).details).toEqual({
      ...made,
      answered: true,
      code: "damaged_body",
      method: "POST",
      path: read.path,
      cause,
    });
    for (const subject of [
      { ...write, status: 300 },
      { ...read, status: 200 },
    ]) {
      expect(damaged(subject, "it is cut")).toMatchObject({ exit: "network", details: { retryable: true } });
      expect(damaged(subject, "it is cut").details).not.toHaveProperty("outcome");
    }
  });
});

test("what broke is kept as the cause, for the trace", () => {
  const cause = coded("ECONNRESET");
  expect(networkFailure(answer(cause), read).details.cause).toBe(cause);
  const broken = answer();
  expect(networkFailure(broken, read).details.cause).toBe(broken);
  expect([broken.timedOut, broken.received]).toEqual([false, 0]);
});

test.each([
  [4, 9, "4 of the announced 9 bytes"],
  [10, 9, "more than the announced 9 bytes"],
])("a body of %i bytes in place of %i", (sent, announced, words) => {
  expect(changedMeanwhile(sent, announced)).toMatchObject({ exit: "integrity" });
  expect(changedMeanwhile(sent, announced).message).toContain(words);
});
