import { expect, test } from "vitest";
import { proxyFor } from "../../../src/api/transport/proxy.ts";

const https_proxy = "http://proxy.example:3128";
const used = (target: string, env: Record<string, string>) => proxyFor(new URL(target), undefined, env).proxy?.origin;

test.each([
  ["https://a.example", { https_proxy }, https_proxy],
  ["https://a.example", { HTTPS_PROXY: "proxy.example:3128" }, https_proxy],
  ["https://a.example", { http_proxy: https_proxy }, undefined],
  ["http://a.example", { http_proxy: https_proxy }, https_proxy],
  ["http://a.example", { https_proxy, ALL_PROXY: "https://other.example" }, "https://other.example"],
  ["https://a.example", { https_proxy, HTTPS_PROXY: "http://other.example" }, https_proxy],
  ["https://a.example", { https_proxy: " ", ALL_PROXY: https_proxy }, https_proxy],
  ["http://a.example", { HTTP_PROXY: https_proxy }, https_proxy],
  ["http://a.example", { HTTP_PROXY: https_proxy, REQUEST_METHOD: "GET" }, undefined],
  ["http://a.example", { http_proxy: https_proxy, REQUEST_METHOD: "GET" }, https_proxy],
  ["https://a.example", { HTTPS_PROXY: https_proxy, REQUEST_METHOD: "GET" }, https_proxy],
  ["https://localhost", { https_proxy }, undefined],
  ["https://x.localhost", { https_proxy }, undefined],
  ["https://127.8.8.8", { https_proxy }, undefined],
  ["https://[::1]:8443", { https_proxy }, undefined],
  ["https://[::ffff:127.0.0.1]", { https_proxy }, undefined],
  ["https://localhost.", { https_proxy }, undefined],
  ["https://a.example", {}, undefined],
])("%s with %o", (target, env, proxy) => expect(used(target, env as Record<string, string>)).toBe(proxy));

test.each([
  ["a.example", "a.example", true],
  ["a.example", "b.example, a.example", true],
  ["a.example", "b.example a.example", true],
  ["A.Example", "a.EXAMPLE", true],
  ["x.a.example", "a.example", true],
  ["x.a.example", ".a.example", true],
  ["x.a.example", "*.a.example", true],
  ["ba.example", "a.example", false],
  ["a.example", "*", true],
  ["a.example", "a.example.", true],
  ["b.a.example.", ".a.example", true],
  ["a.example", "", false],
  ["a.example", ",.,", false],
  ["a.example", "a.example:443", true],
  ["a.example:8443", "a.example:443", false],
  ["a.example:8443", "a.example:8443", true],
  ["10.1.2.3", "10.0.0.0/8", true],
  ["11.1.2.3", "10.0.0.0/8", false],
  ["10.1.2.3", "10.1.2.3", true],
  ["10.1.2.3", "10.1.2.3:443", true],
  ["10.1.2.3", "10.0.0.0/99", false],
  ["10.1.2.3", "what/8", false],
  ["[fd00::7]", "fd00::/8", true],
  ["[fd00::7]", "fd00:0::7", true],
  ["[fd00::7]", "[fd00::7]:443", true],
  ["[fd00::7]", "10.0.0.0/8", false],
  ["a.example", "10.0.0.0/8", false],
  ["bücher.example", "bücher.example", true],
  ["x.bücher.example", ".BÜCHER.example:443", true],
  ["my_host.example", "my_host.example", true],
])("https://%s with NO_PROXY=%s: exempt is %s", (host, no_proxy, exempt) => {
  expect(used(`https://${host}`, { https_proxy, no_proxy }) === undefined).toBe(exempt);
});

test("credentials are removed from the address, and registered as secrets", () => {
  const { proxy } = proxyFor(new URL("https://a.example"), "https://jo:p%40ss@proxy.example", {});
  const basic = Buffer.from("jo:p@ss").toString("base64");
  expect(proxy).toEqual({
    origin: "https://proxy.example",
    authorization: `Basic ${basic}`,
    secrets: [basic, "p@ss", "p%40ss"],
  });
});
