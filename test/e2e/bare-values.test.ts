import { describe, expect, test } from "vitest";
import { formats } from "../../src/base/format.ts";
import { sandboxSession } from "../support/session.ts";

const admin = await sandboxSession();
const registry = {
  FORGECTL_REGISTRY_URL: admin.sandbox.registryUrl,
  FORGECTL_REGISTRY_USER: admin.sandbox.registryUser,
  FORGECTL_REGISTRY_PASSWORD: admin.sandbox.tokens.administrator,
};

const lines: readonly [line: string, bare: RegExp][] = [
  ["auth token", /^sandbox-administrator-token\n$/],
  ["registry token --scope repository:acme/storefront:pull", /^ey[\w.-]+\n$/],
  ["settings get after_sign_out_path", /^https:\/\/[^"]+\n$/],
  ["users me --jq .username", /^root\n$/],
  ["projects list -g acme --limit 2 --jq .[].path_with_namespace", /^acme\/[\w-/]+\nacme\/[\w-/]+\n$/],
];

describe("a format that was not typed never quotes a bare value", () => {
  test.each(lines.flatMap(([line, bare]) => formats.map((format) => ({ line, bare, format }))))(
    "$line, with $format stored or in the environment",
    async ({ line, bare, format }) => {
      const env = { ...registry, FORGECTL_OUTPUT: format };
      expect((await admin.run(...line.split(" "), { env })).stdout).toMatch(bare);
      await admin.run("profiles", "set", "stored", `output=${format}`);
      const stored = await admin.run(...line.split(" "), { env: { ...registry, FORGECTL_PROFILE: "stored" } });
      expect(stored.stdout).toMatch(bare);
    },
  );

  test.each(lines)("%s: with -o json typed it is JSON", async (line) => {
    const { stdout } = await admin.run(...line.split(" "), "-o", "json", { env: registry });
    expect(stdout).toMatch(/^["[]/);
  });

  test("a stored format still holds for records, lists, and errors", async () => {
    const env = { FORGECTL_OUTPUT: "json" };
    expect(JSON.parse((await admin.run("users", "me", { env })).stdout).username).toBe("root");
    expect(JSON.parse((await admin.run("users", "get", "nobody-here", { env })).stderr).error.exit).toBe(3);
  });
});
