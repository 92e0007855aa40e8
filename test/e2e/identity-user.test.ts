import { describe, expect, test } from "vitest";
import { signedIn } from "../support/answering.ts";

// An instance may answer the change of a UID with nothing: what is then found under the new one may be another user's.

/** An instance on which user 5 has `old`, and user 9 may have `new`; it accepts every change. */
const instance = (moves: boolean) => {
  const held = new Map([["old", 5], ...(moves ? [] : [["new", 9] as const])]);
  return signedIn((request, response) => {
    const uid = decodeURIComponent(request.url?.split("/").at(-1) ?? "");
    if (request.method === "PATCH") {
      if (moves && held.delete("old")) held.set("new", 5);
      return response.writeHead(200).end();
    }
    const user = held.get(uid);
    const body = user === undefined ? { message: "404 Not found" } : { extern_uid: uid, user_id: user };
    response.writeHead(user === undefined ? 404 : 200, { "content-type": "application/json" });
    return response.end(JSON.stringify(body));
  });
};

describe.each(["saml", "scim"])("%s identities update", (kind) => {
  const words = [kind, "identities", "update", "old", "--extern-uid", "new", "-g", "4"];

  test("another user's identity is no proof of the change, and no line undoes it", async () => {
    const { run, seen } = await instance(false);
    const { code, stdout, stderr } = await run(...words, "-o", "json");
    expect([code, stdout]).toEqual([expect.not.stringMatching(/^0$/), ""]);
    const { error } = JSON.parse(stderr);
    expect(error).toMatchObject({
      outcome: "unknown",
      retryable: false,
      cause: "the identity of user 5 does not have the UID new",
    });
    expect(stderr).not.toContain("undo:");
    expect(seen.map((line) => line.replace(/\/forge\/api\/v4\/groups\/4/, ""))).toEqual([
      `GET /${kind}/old`,
      `PATCH /${kind}/old`,
      `GET /${kind}/new`,
    ]);
  });

  test("the same user's is", async () => {
    const { run } = await instance(true);
    const { code, stdout, stderr } = await run(...words, "-o", "json");
    expect([code, JSON.parse(stdout)]).toEqual([0, { extern_uid: "new", user_id: 5 }]);
    expect(stderr).toMatch(/^undo: forgectl (?:saml|scim) identities update new --extern-uid=old -g 4 /m);
  });
});
