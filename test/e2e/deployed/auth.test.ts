import { expect, test } from "vitest";
import { sandboxSession, session } from "../../support/session.ts";

test("release-and-own-token: auth status shows release, scopes, and expiry, if the instance returns them", async () => {
  const deployed = await sandboxSession({ asDeployed: true });
  const shown = ["auth", "status", "--fields", "user,scopes,expires_at,release,works", "-o", "json"];
  const rows = JSON.parse((await deployed.run(...shown)).stdout);
  expect(rows).toEqual([
    { user: "root", scopes: ["api"], expires_at: null, release: expect.stringMatching(/^\d+\.\d+/), works: true },
  ]);
  const narrow = JSON.parse(
    (await deployed.run(...shown, { env: { FORGECTL_TOKEN: deployed.sandbox.tokens.readUser } })).stdout,
  );
  expect(narrow).toMatchObject([{ user: "dana.dixon", scopes: ["read_user"], works: true }]);
});

test("without those routes the fields are empty, without a warning", async () => {
  const { sandbox } = await sandboxSession({
    faults: "GET /metadata=404*always;GET /version=404*always;GET /personal_access_tokens/self=404*always",
  });
  const shell = session({ FORGECTL_BASE_URL: sandbox.url, FORGECTL_TOKEN: sandbox.tokens.administrator });
  const { code, stdout, stderr } = await shell.run(
    "auth",
    "status",
    "--fields",
    "user,scopes,expires_at,release,works,problem",
  );
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: "user\tscopes\texpires_at\trelease\tworks\tproblem\nroot\t\t\t\ttrue\t\n",
    stderr: "",
  });
});
