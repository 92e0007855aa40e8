import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { signedIn } from "../support/answering.ts";

// A cycle that can neither be finished nor rolled back: the rows say what the identities may have now.

/** A group of the users 1, 2, and 3 with the UIDs a, b, and c; `disturb` answers a request in its place. */
async function group(disturb: (patches: number, method: string) => "refused" | "lost" | "twice" | undefined) {
  const uids = new Map([..."abc"].map((uid, index) => [uid, index + 1]));
  let patches = 0;
  const own = await signedIn(async (request, response) => {
    const { method = "", url = "" } = request;
    const uid = decodeURIComponent(url.replace(/\?.*/, "").split("/").at(-1) ?? "");
    const user = uids.get(uid);
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (url.endsWith("/groups/7")) return json(200, { id: 7, full_path: "acme", name: "Acme", web_url: "http://x" });
    const sent = new URLSearchParams((await buffer(request)).toString());
    if (method === "PATCH") patches += 1;
    const how = disturb(patches, method);
    if (how === "lost") return void response.destroy();
    if (how === "refused") return json(403, { message: "403 Forbidden" });
    if (uid === "identities")
      return json(
        200,
        [...uids].map(([extern_uid, user_id]) => ({ extern_uid, user_id })),
      );
    if (user === undefined) return json(404, { message: "404 Not found" });
    const next = sent.get("extern_uid") ?? uid;
    uids.delete(uid);
    uids.set(next, user);
    if (how === "twice") return json(404, { message: "404 Not found" });
    return json(200, { extern_uid: next, user_id: user });
  });
  const words = "saml identities remap -g 7 --map - --yes -o json --retries 0".split(" ");
  const { code, stdout, stderr } = await own.run(...words, { input: "a,b\nb,c\nc,a\n" });
  const rows: { old: string; status: string; error: string | null }[] = JSON.parse(stdout);
  return { code, stderr, uids, rows: rows.map(({ old, status, error }) => [old, status, error]) };
}

const temporary = /^it may have the UID forgectl-remap-1-\w+: b could not get the UID c: /;

test("an identity that keeps its temporary UID is unknown, and not unchanged", async () => {
  const { code, stderr, uids, rows } = await group((patches, method) =>
    method === "PATCH" && patches > 2 ? "refused" : undefined,
  );
  expect({ code, rows }).toEqual({
    code: 9,
    rows: [
      ["a", "unknown", expect.stringMatching(temporary)],
      ["c", "changed", null],
      ["b", "refused", expect.anything()],
    ],
  });
  expect(stderr).toContain("user 1 may be left with the temporary UID forgectl-remap-1-");
  expect([uids.get("a"), uids.get("b")]).toEqual([3, 2]);
});

test("so is one whose temporary UID may have been rolled back", async () => {
  const { code, rows } = await group((patches, method) => {
    if (patches === 3 && method === "PATCH") return "refused";
    return patches > 4 ? "lost" : undefined;
  });
  expect({ code, rows }).toEqual({
    code: 9,
    rows: [
      ["a", "unknown", expect.stringMatching(temporary)],
      ["c", "failed", expect.stringContaining("not changed: ")],
      ["b", "refused", expect.anything()],
    ],
  });
});

test("so is one whose change may have been rolled back", async () => {
  const { code, rows } = await group((patches, method) => {
    if (patches === 3 && method === "PATCH") return "refused";
    return patches > 3 ? "lost" : undefined;
  });
  expect({ code, rows }).toEqual({
    code: 9,
    rows: [
      ["a", "unknown", expect.stringMatching(temporary)],
      ["c", "unknown", expect.stringMatching(/^it may have the UID a: b could not get the UID c: /)],
      ["b", "refused", expect.anything()],
    ],
  });
});

test.each([1, 2, 3, 4])("change %i that a proxy sent twice, which the second does not find, is made", async (nth) => {
  const twice = (patches: number, method: string) => (method === "PATCH" && patches === nth ? "twice" : undefined);
  const { code, stderr, uids, rows } = await group(twice);
  expect({ code, rows }).toEqual({
    code: 0,
    rows: [
      ["a", "changed", null],
      ["c", "changed", null],
      ["b", "changed", null],
    ],
  });
  expect(stderr).toContain("3 of 3 done");
  expect(["a", "b", "c"].map((uid) => uids.get(uid))).toEqual([3, 1, 2]);
});
