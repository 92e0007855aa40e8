import type { Random } from "../../src/sandbox/store/random.ts";

/** The bytes of a request, with default headers for a valid one. */
export function requestBytes(line: string, headers: Record<string, string>, body = "", host = "localhost"): Buffer {
  const all = {
    Host: host,
    Connection: "close",
    ...(body !== "" && { "Content-Length": String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${line} HTTP/1.1\r\n${head.join("")}\r\n${body}`);
}

const oddities = [
  "1",
  "7",
  "0",
  "-1",
  "99999999999999999999",
  "1e9",
  "acme",
  "acme%2Fstorefront",
  "%00",
  "%ff",
  "%zz",
  "..",
  "%2e%2e%2f",
  "😀",
  "é",
  "a b",
  "null",
  "[object Object]",
  "__proto__",
  "constructor",
  "main",
  "true",
  "%F0%9F%98%80",
  "x".repeat(3000),
  "'\"`;",
  "\\",
  "%5c",
  "?",
  "#",
];
const values = [
  null,
  true,
  0,
  -1,
  1e308,
  7,
  "",
  "a",
  "1",
  "2026-01-01",
  "0001-01-01T00:00:00Z",
  "😀",
  "\u0000",
  "\ud800",
  [],
  {},
  [[]],
  [null],
  { a: { b: [1] } },
  "(?i)a",
  "(",
  "x".repeat(5000),
  "/merge",
  ":tada:",
  "https://127.0.0.1:1/",
  "main",
  { access_level: 40 },
  [{ access_level: 40 }],
  [{ key: "a", value: "b" }],
];
const names = [
  "body",
  "url",
  "id",
  "note_id",
  "name",
  "path",
  "content",
  "branch",
  "commit_message",
  "start_branch",
  "ref",
  "per_page",
  "page",
  "relation",
  "batched",
  "active",
  "integrated",
  "target_project_id",
  "target_group_id",
  "keep_n",
  "name_regex_delete",
  "older_than",
  "uid",
  "extern_uid",
  "cn",
  "filter",
  "provider",
  "group_access",
  "access_level",
  "file",
  "parent_id",
  "created_at",
  "before",
  "after",
  "sort",
  "order_by",
  "pagination",
  "resolved",
  "custom_headers",
  "deploy_access_levels",
  "approval_rules",
  "enabled",
  "status",
  "signup_enabled",
  "default_branch_protection_defaults",
  "repository_storages_weighted",
  "domain_allowlist",
  "email_restrictions",
  "range",
  "encoding",
  "saml_group_name",
  "job",
  "search",
  "custom_attributes",
  "__proto__",
  "constructor",
  "scope",
  "service",
];

/** A random request, mostly nearly valid ones, since they reach the most code. */
export function shapeless(random: Random, routes: readonly string[]): { bytes: Buffer; whole: boolean } {
  if (random.percent(4)) {
    return { bytes: Buffer.from(Array.from({ length: random.below(200) }, () => random.below(256))), whole: false };
  }
  const [method = "", path = ""] = random.pick(routes).split(" ");
  const target = path.replace(/:\w+(\{\.\+\})?/g, () =>
    random.percent(60) ? String(1 + random.below(30)) : random.pick(oddities),
  );
  const query = random.percent(30) ? `?${pairs(random)}` : "";
  const verb = random.percent(90) ? method : random.pick(["HEAD", "OPTIONS", "TRACE", "PATCH", "DELETE", "BREW"]);
  const { type, body } = bodyOf(random);
  const headers: Record<string, string> = {
    ...(random.percent(85) && {
      "PRIVATE-TOKEN": `sandbox-${random.pick(["administrator", "owner", "developer", "guest", "read-api"])}-token`,
    }),
    ...(random.percent(5) && { "JOB-TOKEN": "sandbox-job-token" }),
    ...(type !== "" && { "Content-Type": type }),
    ...(random.percent(10) && {
      Range: random.pick(["bytes=0-", "bytes=-1", "bytes=5-2", "bytes=9999999-", "lines=1-2"]),
    }),
    ...(random.percent(5) && { "If-Unmodified-Since": random.pick(["yesterday", "Thu, 02 May 2024 09:59:59 GMT"]) }),
    ...(random.percent(5) && { Sudo: random.pick(oddities).replace(/[^\x20-\x7e]/g, "") }),
    ...(random.percent(5) && {
      Authorization: random.pick(["Basic x", "Basic c2FuZGJveDp4", "Bearer ", "Bearer sandbox-owner-token"]),
    }),
  };
  const bytes = requestBytes(
    `${verb} ${target}${query}`,
    headers,
    body,
    random.percent(97) ? "localhost" : random.pick(oddities),
  );
  const whole = random.percent(96);
  return { bytes: whole ? bytes : bytes.subarray(0, random.below(bytes.length)), whole };
}

function pairs(random: Random): string {
  const key = () =>
    random.pick(names) + random.pick(["", "", "", "[]", "[a]", "[0]", "[][a]", "[a][b][]", "[", "]", "[__proto__]"]);
  return Array.from(
    { length: 1 + random.below(5) },
    () => `${key()}=${random.pick(oddities).replace(/[#?]/g, "")}`,
  ).join("&");
}

function bodyOf(random: Random): { type: string; body: string } {
  switch (random.below(6)) {
    case 0:
      return { type: "application/x-www-form-urlencoded", body: pairs(random) };
    case 1: {
      const end = random.pick(["\r\n--b--\r\n", "\r\n--b--", "", "\r\n--b", "\r\n--c--"]);
      const part = () =>
        `--b\r\nContent-Disposition: form-data; name="${random.pick(names)}"${random.pick(["", '; filename="a.txt"', '; filename="../a"', "; filename*=utf-8''%zz"])}\r\n\r\n${random.pick(oddities)}`;
      return {
        type: random.pick([
          "multipart/form-data; boundary=b",
          "multipart/form-data",
          'multipart/form-data; boundary=""',
        ]),
        body: `${part()}\r\n${part()}${end}`,
      };
    }
    case 2:
      return {
        type: "application/json",
        body: random.pick([
          "{",
          "[]",
          "1",
          '{"a":1}}',
          '"',
          "[".repeat(3000),
          `{"body":${'{"a":'.repeat(2000)}1${"}".repeat(2001)}`,
          "\ufeff{}",
          "nul",
        ]),
      };
    case 3:
      return {
        type: random.pick(["text/plain", "application/xml", "\t", "application/json; charset=x"]),
        body: random.pick(oddities),
      };
    default: {
      const entries = Array.from({ length: random.below(8) }, () => [random.pick(names), random.pick(values)]);
      return { type: random.percent(95) ? "application/json" : "", body: JSON.stringify(Object.fromEntries(entries)) };
    }
  }
}
