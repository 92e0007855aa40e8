import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoTokens } from "../../src/sandbox/areas/places/tokens.ts";
import { openSession, type Session } from "./session.ts";

let ahead = 0;
let session: Session;
beforeAll(async () => {
  session = await openSession({ now: () => new Date(Date.now() + ahead) });
});
afterAll(() => session.sandbox.close());

/** Sends a request below the root of the server. */
async function ask(path: string, authorization?: string, method = "GET") {
  const headers = authorization === undefined ? {} : { authorization };
  const response = await fetch(session.sandbox.url + path, { method, headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: text === "" ? undefined : JSON.parse(text) };
}

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

async function tokenFor(as: keyof typeof demoTokens, ...scopes: string[]): Promise<string> {
  const query = new URLSearchParams([
    ["service", "container_registry"] as [string, string],
    ...scopes.map((scope): [string, string] => ["scope", scope]),
  ]);
  const user = as === "jobToken" ? "ci-registry-user" : "sandbox";
  const { status, json } = await ask(`/jwt/auth?${query}`, basic(user, demoTokens[as]));
  expect(status).toBe(200);
  return json.token;
}

/** The access in a token. */
const grants = (token: string) => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).access;

describe("tokens", () => {
  test("grant the part of the requested scopes that the caller may have", async () => {
    const scopes = ["repository:acme/storefront:pull,push,delete", "repository:globex/crm:pull", "registry:catalog:*"];
    expect(grants(await tokenFor("administrator", ...scopes))).toEqual([
      { type: "repository", name: "acme/storefront", actions: ["pull", "push", "delete"] },
      { type: "repository", name: "globex/crm", actions: ["pull"] },
      { type: "registry", name: "catalog", actions: ["*"] },
    ]);
    expect(grants(await tokenFor("developer", ...scopes))).toEqual([
      { type: "repository", name: "acme/storefront", actions: ["pull", "push"] },
    ]);
    expect(grants(await tokenFor("jobToken", ...scopes, "repository:acme/docs:pull"))).toEqual([
      { type: "repository", name: "acme/storefront", actions: ["pull", "push"] },
    ]);
  });

  test.each([
    ["without credentials", undefined],
    ["a wrong password", basic("sandbox", "sandbox-wrong")],
    ["no name", basic("", demoTokens.administrator)],
    ["a job token under another name", basic("sandbox", demoTokens.jobToken)],
    ["an expired token", basic("sandbox", demoTokens.expired)],
    ["a bearer token", `Bearer ${demoTokens.administrator}`],
  ])("401: %s", async (_, authorization) => {
    const { status, json } = await ask("/jwt/auth?service=container_registry&scope=registry:catalog:*", authorization);
    expect([status, json.errors[0].code]).toEqual([401, "UNAUTHORIZED"]);
  });

  test("are for this service only", async () => {
    expect((await ask("/jwt/auth?service=other", basic("sandbox", demoTokens.guest))).status).toBe(404);
  });
});

describe("the catalog", () => {
  test("is paginated; a relative link continues", async () => {
    const token = `Bearer ${await tokenFor("administrator", "registry:catalog:*")}`;
    const all = (await ask("/v2/_catalog", token)).json.repositories;
    expect(all).toEqual([...all].sort());
    expect(all).toContain("acme/storefront/worker");
    const found: string[] = [];
    for (let path: string | undefined = "/v2/_catalog?n=5"; path !== undefined; ) {
      const { json, headers } = await ask(path, token);
      expect(json.repositories.length).toBeLessThanOrEqual(5);
      found.push(...json.repositories);
      path = /^<(\/v2\/_catalog\?[^>]*)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1];
    }
    expect(found).toEqual(all);
  });

  test.each(["0", "-1", "1001", "many", "2.5"])("a page of %s names is refused", async (n) => {
    const token = `Bearer ${await tokenFor("administrator", "registry:catalog:*")}`;
    const { status, json } = await ask(`/v2/_catalog?n=${n}`, token);
    expect([status, json.errors[0].code]).toEqual([400, "PAGINATION_NUMBER_INVALID"]);
  });

  test("requires an administrator; an expired or forged token is refused", async () => {
    const good = await tokenFor("administrator", "registry:catalog:*");
    const poor = await tokenFor("owner", "registry:catalog:*");
    const [head, , signature] = good.split(".");
    const forged = `${head}.${poor.split(".")[1]}.${signature}`;
    const refuse = async (token: string | undefined) => {
      const answer = await ask("/v2/_catalog", token === undefined ? undefined : `Bearer ${token}`);
      expect([answer.status, answer.json.errors[0].code]).toEqual([401, "UNAUTHORIZED"]);
      return answer.headers.get("www-authenticate");
    };
    expect(await refuse(undefined)).toBe(
      `Bearer realm="${session.sandbox.url}/jwt/auth",service="container_registry",scope="registry:catalog:*"`,
    );
    expect(await refuse(poor)).toContain('error="insufficient_scope"');
    expect(await refuse(forged)).toContain('error="invalid_token"');
    ahead += 301_000;
    expect(await refuse(good)).toContain('error="invalid_token"');
  });
});

describe("manifests", () => {
  const details = async (tag: string) =>
    (await session.ask(`GET /projects/7/registry/repositories/12/tags/${tag}`)).json;

  test("deletes one tag, also on the older path; a digest deletes all of its tags", async () => {
    const token = `Bearer ${await tokenFor("maintainer", "repository:acme/storefront:delete")}`;
    const { digest } = await details("latest");
    expect((await ask("/v2/acme/storefront/manifests/v1", token, "DELETE")).status).toBe(202);
    expect((await details("latest")).digest).toBe(digest);
    expect((await ask("/v2/acme/storefront/tags/reference/v1.2.0", token, "DELETE")).status).toBe(202);
    expect(await details("v1.2.0")).toEqual({ message: "404 Tag Not Found" });
    expect((await ask(`/v2/acme/storefront/manifests/${digest}`, token, "DELETE")).status).toBe(202);
    expect(await details("latest")).toEqual({ message: "404 Tag Not Found" });
    expect(await details("v1.18.0")).toEqual({ message: "404 Tag Not Found" });
    expect((await details("v1.17.0")).name).toBe("v1.17.0");
  });

  test("a missing manifest, and a token without the permission", async () => {
    const token = `Bearer ${await tokenFor("maintainer", "repository:acme/storefront:delete")}`;
    const refusal = async (path: string) => {
      const { status, json } = await ask(path, token, "DELETE");
      return [status, json.errors[0].code];
    };
    expect(await refusal("/v2/acme/storefront/manifests/v99")).toEqual([404, "MANIFEST_UNKNOWN"]);
    expect(await refusal("/v2/acme/storefront/worker/manifests/v1")).toEqual([401, "UNAUTHORIZED"]);
    const other = `Bearer ${await tokenFor("maintainer", "repository:acme/storefront/none:delete")}`;
    const { status, json } = await ask("/v2/acme/storefront/none/manifests/v1", other, "DELETE");
    expect([status, json.errors[0].code]).toEqual([404, "NAME_UNKNOWN"]);
  });
});
