import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { session } from "../support/session.ts";

// An instance with undocumented settings: secrets in plain text, names with control characters, and names that it
// silently ignores.

const secrets = {
  mailgun_signing_key: "s3cret-mailgun",
  external_auth_client_key: "s3cret-auth",
  ci_jwt_signing_key: "s3cret-jwt",
  openid_key: "s3cret-openid",
  arkose_labs_data_exchange_key: "s3cret-arkose",
  cloud_credentials: { id: "s3cret-cloud" },
  search_connection_string: "s3cret-search",
  private_data_encrypted: "s3cret-data",
};
const shown = {
  recaptcha_site_key: "shown-site",
  uploads_public_key: "shown-public",
  rsa_key_restriction: 2048,
  cloud_key_id: "shown-id",
};
const settings = {
  ...secrets,
  ...shown,
  id: 1,
  home_page_url: "https://jo:s3cret-url@h.example/x",
  signup_enabled: true,
  kroki_enabled: false,
  kroki_url: null,
  shared_runners_enabled: false,
  shared_runners_text: "",
  enforce_terms: false,
  terms: "Be kind.",
  email_restrictions: "x",
  max_login_attempts: 10,
  throttle_authenticated_api_enabled: false,
  throttle_authenticated_api_requests_per_period: 7200,
  throttle_authenticated_api_period_in_seconds: 3600,
  snippet_size_limit: 1000,
};

let sent: { method: string | undefined; body: unknown }[] = [];
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
  sent.push({ method: request.method, body });
  response.setHeader("content-type", "application/json");
  const known = Object.fromEntries(Object.entries(body ?? {}).filter(([name]) => name in settings));
  if (request.method === "PUT" && Object.keys(known).length === 0) {
    const names = Array.from({ length: 590 }, (_, index) => `some_long_name_of_a_setting_${index}`);
    response.statusCode = 400;
    response.end(JSON.stringify({ error: `${names.join(", ")} are missing, at least one parameter must be provided` }));
    return;
  }
  // One setting is not returned.
  response.end(JSON.stringify({ ...settings, ...known, snippet_size_limit: settings.snippet_size_limit }));
});
let run: ReturnType<typeof session>["run"];
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  ({ run } = session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: "s3cret-token-of-the-session" }));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  sent = [];
});
const type = (line: string) => run(...line.split(" "));

test.each(["settings get -o json", "settings list -o json", "api application/settings", "api application/settings -i"])(
  "%s hides secrets by the catalogue and by their names; --reveal shows them",
  async (line) => {
    const hidden = await type(`${line} --debug`);
    expect(hidden.code).toBe(0);
    expect(hidden.stdout + hidden.stderr).not.toContain("s3cret");
    expect(hidden.stdout).toContain("https://[redacted]@h.example/x");
    for (const value of Object.values(shown)) expect(hidden.stdout).toContain(String(value));
    const revealed = await type(`${line} --reveal`);
    for (const value of Object.values(secrets)) {
      expect(revealed.stdout).toContain(typeof value === "string" ? value : "s3cret-cloud");
    }
  },
);

test("a name unknown to the documents and the instance is refused, and nothing is sent", async () => {
  const { code, stderr } = await type("settings set mailgun_signing_kex=1 signup_enabled=false");
  expect(code).toBe(2);
  expect(stderr).toContain("neither the API documents nor the instance have it; did you mean mailgun_signing_key?");
  expect(sent.map(({ method }) => method)).toEqual(["GET"]);
});

test("settings that the instance withholds or ignores are an error that names them", async () => {
  const { code, stdout, stderr } = await type("settings set snippet_size_limit=5 helm_max_packages_count=7 -o json");
  expect([code, stdout]).toEqual([9, ""]);
  expect(JSON.parse(stderr).error).toMatchObject({
    code: "not_taken",
    outcome: "not_taken",
    fields: {
      snippet_size_limit: ["sent 5, the instance has 1000"],
      helm_max_packages_count: ["sent 7, not in the answer"],
    },
  });
});

test("if the instance knows none of the names, they are named, and not its 590", async () => {
  const { code, stderr } = await type("settings set helm_max_packages_count=7");
  expect(code).toBe(1);
  expect(stderr).toContain("cause: the instance has none of helm_max_packages_count\n");
  expect(stderr.length).toBeLessThan(500);
});

test("required settings are sent too, empty or not", async () => {
  expect((await type("settings set kroki_enabled=on shared_runners_enabled=yes -q")).code).toBe(0);
  expect(sent[1]?.body).toEqual({
    kroki_enabled: true,
    shared_runners_enabled: true,
    kroki_url: null,
    shared_runners_text: "",
  });
});

test("null clears a number and a text", async () => {
  expect((await type("settings set max_login_attempts=null email_restrictions=null -q --yes")).code).toBe(0);
  expect(sent[1]?.body).toEqual({ max_login_attempts: null, email_restrictions: null });
});

test.each([
  "throttle_authenticated_api_enabled=true throttle_authenticated_api_requests_per_period=0",
  "throttle_authenticated_api_enabled=true throttle_authenticated_api_requests_per_period=3",
  "enforce_terms=true",
])("settings set %s asks first", async (assignments) => {
  const { code, stderr } = await type(`settings set ${assignments}`);
  expect(code).toBe(2);
  expect(stderr).toContain("which can lock users out");
  expect(sent.map(({ method }) => method)).toEqual(["GET"]);
});

test("a throttle that does not block users does not ask", async () => {
  expect((await type("settings set throttle_authenticated_api_enabled=true -q")).code).toBe(0);
});

test("a dry run for people shows the complete request", async () => {
  const text = "x".repeat(300);
  const { stdout } = await run(
    "settings",
    "set",
    `after_sign_up_text=${text}`,
    "signup_enabled=no",
    "-n",
    "-o",
    "table",
  );
  const [first, ...body] = stdout.trimEnd().split("\n");
  expect(first).toMatch(/^PUT http:\/\/127\.0\.0\.1:\d+\/api\/v4\/application\/settings$/);
  expect(JSON.parse(body.join("\n"))).toEqual({ after_sign_up_text: text, signup_enabled: false });
});

test("an address with a secret is redacted in a dry run", async () => {
  const { stdout } = await run(
    "hooks",
    "create",
    "https://jo:pw@h/x?private_token=abc&x=1",
    "-g",
    "7",
    "-n",
    "-o",
    "json",
  );
  expect(JSON.parse(stdout)[0].body.url).toBe("https://[redacted]@h/x?private_token=[redacted]&x=1");
});
