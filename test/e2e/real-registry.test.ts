import { beforeAll, describe, expect, test } from "vitest";
import {
  password,
  pushImage,
  startRegistry,
  startTokenEndpoint,
  type TokenEndpoint,
  whyNoRegistry,
} from "../support/registry.ts";
import { type Session, session } from "../support/session.ts";

// The registry's own API against a real registry, so that the sandbox is not the only reference.

const without = whyNoRegistry();
if (without !== undefined) process.stderr.write(`\nSKIPPED: test/e2e/real-registry.test.ts: ${without}\n\n`);

describe.skipIf(without !== undefined)("a real container registry", () => {
  const images = ["acme/api", "acme/site", "acme/site/worker", "base", "tools/lint_er.v2"];
  let tokens: TokenEndpoint;
  let registry: string;
  let digest: string;
  let robot: Session;
  const as = (user: string, more: Record<string, string> = {}) =>
    session({
      FORGECTL_BASE_URL: tokens.url,
      FORGECTL_REGISTRY_URL: registry,
      FORGECTL_REGISTRY_USER: user,
      FORGECTL_REGISTRY_PASSWORD: password,
      ...more,
    });
  /** The tags of an image as the registry lists them; null for none. */
  const tagsOf = async (image: string): Promise<string[] | null> => {
    const authorization = `Bearer ${tokens.sign([{ type: "repository", name: image, actions: ["pull"] }])}`;
    const answer = await fetch(`${registry}/v2/${image}/tags/list`, { headers: { authorization } });
    return ((await answer.json()) as { tags: string[] | null }).tags;
  };

  beforeAll(async () => {
    tokens = await startTokenEndpoint();
    registry = await startRegistry(tokens, { deletes: true });
    for (const image of images) digest = await pushImage(tokens, registry, image, ["v1", "latest"]);
    robot = as("robot");
  });

  test("catalog: all pages, of any size, with its own token", async () => {
    for (const size of [1, 2, 5, 100]) {
      tokens.asked.length = 0;
      const { code, stdout, stderr } = await robot.run("registry", "catalog", "--per-page", String(size));
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `name\n${images.join("\n")}\n`, stderr: "" });
      expect(tokens.asked).toEqual([["registry:catalog:*"]]);
    }
  });

  test("catalog: part of it", async () => {
    const cut = await robot.run("registry", "catalog", "-L", "3", "--per-page", "2", "-o", "json");
    expect(JSON.parse(cut.stdout)).toEqual(images.slice(0, 3).map((name) => ({ name })));
    expect(cut.stderr).toBe("shown 3; there are more: --limit all for the rest\n");
    const page = await robot.run("registry", "catalog", "--page", "2", "--per-page", "2", "--no-header");
    expect(page.stdout).toBe("acme/site/worker\nbase\n");
    const whole = await robot.run("registry", "catalog", "-L", "5", "--no-header");
    expect(whole.stderr).toBe("");
  });

  test("token: the registry accepts the printed token", async () => {
    const scopes = ["--scope", "repository:base:pull", "--scope", "repository:acme/api:pull,push"];
    const { code, stdout } = await robot.run("registry", "token", ...scopes);
    expect(code).toBe(0);
    expect(tokens.asked.at(-1)).toEqual(["repository:base:pull", "repository:acme/api:pull,push"]);
    const headers = { authorization: `Bearer ${stdout.trim()}` };
    expect((await fetch(`${registry}/v2/base/tags/list`, { headers })).status).toBe(200);
    expect((await fetch(`${registry}/v2/acme/site/tags/list`, { headers })).status).toBe(401);
  });

  test("manifests delete by tag: the error explains the refusal and names what works", async () => {
    const { code, stdout, stderr } = await robot.run("registry", "manifests", "delete", "acme/site", "v1", "--yes");
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toBe(
      "error: could not delete an image's tag in the registry (DELETE /v2/acme/site/manifests/v1 → 400)\n" +
        "cause: DIGEST_INVALID: provided digest did not match uploaded content; this registry deletes by digest only, " +
        "not by tag: its tag_delete feature is missing or turned off\n" +
        "try:   delete the tag through the platform with forgectl registry tags delete <repository-id> v1; or, with all " +
        "tags of the image, and out of images for several platforms that contain it, forgectl registry manifests delete " +
        "acme/site sha256:<digest>\n",
    );
    const asked = await robot.run("registry", "manifests", "delete", "acme/site", digest);
    expect([asked.code, asked.stderr]).toEqual([
      2,
      expect.stringContaining("cause: images for several platforms that contain it are broken then\n"),
    ]);
    expect(tokens.asked.at(-1)).toEqual(["repository:acme/site:delete"]);
    expect(await tagsOf("acme/site")).toEqual(["latest", "v1"]);
  });

  test("manifests delete by digest: the image is deleted with all of its tags, and then is not found", async () => {
    const words = ["registry", "manifests", "delete", "tools/lint_er.v2", digest, "--yes"];
    expect(await robot.run(...words)).toEqual({
      code: 0,
      stdout: `image\treference\tstatus\ntools/lint_er.v2\t${digest}\tdeleted\n`,
      stderr: "",
    });
    expect(await tagsOf("tools/lint_er.v2")).toBeNull();
    const again = await robot.run(...words);
    expect(again.code).toBe(3);
    expect(again.stderr).toContain("(MANIFEST_UNKNOWN: manifest unknown)\n");
  });

  test("the older path does not exist on this registry", async () => {
    const { code, stderr } = await robot.run("registry", "manifests", "delete", "base", "v1", "--legacy", "--yes");
    expect(code).toBe(3);
    expect(stderr).toContain("warning: the path that --legacy uses is deprecated since release 16.4\n");
  });

  test("a registry that deletes nothing at all says so", async () => {
    const still = await startRegistry(tokens, { deletes: false });
    await pushImage(tokens, still, "base", ["v1"]);
    const there = as("robot", { FORGECTL_REGISTRY_URL: still });
    const { code, stderr } = await there.run("registry", "manifests", "delete", "base", digest, "--yes");
    expect(code).toBe(1);
    expect(stderr).toContain("this registry has deletion turned off\n");
  });

  test("a user with read access: exit 4, and the missing permission", async () => {
    const reader = as("reader");
    const deleting = await reader.run("registry", "manifests", "delete", "base", "v1", "--yes");
    expect(deleting.code).toBe(4);
    expect(deleting.stderr).toContain("cause: UNAUTHORIZED: authentication required\n");
    expect(deleting.stderr).toContain("try:   the registry user may not delete in base: check FORGECTL_REGISTRY_USER");
    const listing = await reader.run("registry", "catalog");
    expect(listing.code).toBe(4);
    expect(listing.stderr).toContain("try:   the catalog is for administrators: check FORGECTL_REGISTRY_USER");
  });

  test("secrets are not shown anywhere", async () => {
    const { stderr } = await robot.run("registry", "manifests", "delete", "base", "v1", "--yes", "--debug");
    expect(stderr).toContain("--> DELETE ");
    expect(stderr).toContain("    accept: application/vnd.docker.distribution.manifest.v2+json\n");
    expect(stderr).toContain("authorization: [redacted]");
    expect(stderr).not.toContain(password);
    expect(stderr).not.toContain(Buffer.from(`robot:${password}`).toString("base64"));
    expect(stderr).not.toContain("eyJ");
    tokens.asked.length = 0;
    const dry = await robot.run("registry", "manifests", "delete", "base", "v1", "--dry-run");
    expect(dry.stdout).toBe(`method\turl\tbody\nDELETE\t${registry}/v2/base/manifests/v1\t\n`);
    expect(tokens.asked).toEqual([]);
  });
});
