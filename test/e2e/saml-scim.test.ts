import { createServer } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { atEnd } from "../support/ending.ts";
import { startReceiver } from "../support/receiver.ts";
import { requestsIn, sandboxSession, session } from "../support/session.ts";

let log: string[];
let hosted: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  log = [];
  hosted = await sandboxSession({ hosting: "hosted", as: "owner", log: (line) => log.push(line) });
});

const run = (...words: string[]) => hosted.run(...words, "-g", "acme");

const requests = () => requestsIn(log);

/** UIDs with special characters for a path; the client encodes each as one segment. */
const odd = ["a/b", "per cent % 100%25", "q?x=1&y#z", "имя@пример", "😀 smile", "...", "a+b;c=d", "\\back\\slash"];

describe.each(["saml", "scim"])("%s identities", (group) => {
  test("a UID with any characters is read, changed, and deleted", async () => {
    requests();
    let uid = "ou=Product/Priya Patel";
    for (const next of odd) {
      const changed = await run(group, "identities", "update", uid, "--extern-uid", next, "--jq", ".extern_uid");
      expect(changed).toMatchObject({ code: 0, stdout: `${next}\n` });
      expect(requests()[1]).toMatch(
        new RegExp(`^PATCH /api/v4/groups/acme/${group}/${escaped(encodeURIComponent(uid))} 20[04]$`),
      );
      uid = next;
    }
    const read = await run(group, "identities", "get", uid, "--jq", "[.extern_uid, .user_id]");
    expect(JSON.parse(read.stdout)).toEqual([uid, 5]);
    requests();
    const asked = await run(group, "identities", "delete", uid);
    expect(asked).toMatchObject({ code: 2, stdout: "" });
    expect(asked.stderr).toContain(`this would delete ${group.toUpperCase()} identity ${uid} (group acme)`);
    expect(requests()).toEqual([]);
    expect(await run(group, "identities", "delete", uid, "--yes", "-o", "ndjson")).toEqual({
      code: 0,
      stdout: `${JSON.stringify({ uid, status: "deleted" })}\n`,
      stderr: "",
    });
    expect((await run(group, "identities", "get", uid)).code).toBe(3);
  });

  test("the UID equal to the list's path segment is not requested", async () => {
    requests();
    const { code, stderr } = await run(group, "identities", "get", "identities");
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("the path of the whole list, which identities list shows"),
    ]);
    expect(requests()).toEqual([]);
  });

  test.each(["", ".", ".."])("the UID %j is refused before anything is sent", async (uid) => {
    requests();
    for (const words of [
      ["get", uid],
      ["update", uid, "--extern-uid", "x"],
      ["delete", uid, "--yes"],
      ["delete", uid],
    ]) {
      const { code, stdout, stderr } = await run(group, "identities", ...words);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(uid === "" ? "error: <uid>: is empty\n" : `error: <uid>: "${uid}" cannot be part of`);
    }
    expect(requests()).toEqual([]);
  });

  test("a change is sent as a form, which preserves every character of a UID", async () => {
    const instance = await startReceiver();
    instance.answer = {
      status: 200,
      body: JSON.stringify({ extern_uid: "ü & =/+", user_id: 5 }),
      headers: { "content-type": "application/json" },
    };
    const words = [group, "identities", "update", "a/b", "--extern-uid", "ü & =/+", "-g", "acme"];
    expect((await hosted.run(...words, { env: { FORGECTL_BASE_URL: instance.url } })).code).toBe(0);
    const [, sent] = instance.received;
    expect(sent).toMatchObject({ method: "PATCH", url: `/api/v4/groups/acme/${group}/a%2Fb` });
    expect(sent?.headers["content-type"]).toMatch(/^application\/x-www-form-urlencoded\b/);
    expect([...new URLSearchParams(sent?.body)]).toEqual([["extern_uid", "ü & =/+"]]);
  });

  test("a change needs the new UID, and is refused if another user has it", async () => {
    const missing = await run(group, "identities", "update", "x");
    expect(missing).toMatchObject({ code: 2, stdout: "" });
    expect(missing.stderr).toContain("error: missing --extern-uid <");
    expect((await run(group, "identities", "update", "x", "--extern-uid", "")).stderr).toContain(
      "error: --extern-uid: is empty\n",
    );
    for (const lost of [".", ".."]) {
      const refused = await run(group, "identities", "update", "x", "--extern-uid", lost, "--dry-run");
      expect(refused).toMatchObject({ code: 2, stdout: "" });
      expect(refused.stderr).toContain(
        `error: --extern-uid: must be a name that can be part of a request's path, not "${lost}"\n`,
      );
    }
    const plan = await run(group, "identities", "update", "a b", "--extern-uid", "c d", "--dry-run", "-o", "json");
    expect(JSON.parse(plan.stdout)).toEqual([
      {
        method: "PATCH",
        url: `${hosted.sandbox.url}/api/v4/groups/acme/${group}/a%20b`,
        body: "extern_uid=c%20d",
      },
    ]);
    const words = ["update", "dana.dixon@acme.example", "--extern-uid", "olivia.ortega@acme.example"];
    const taken = await run(group, "identities", ...words);
    expect(taken.code).toBe(1);
    expect(taken.stderr).toContain("field: extern_uid: has already been taken\n");
  });

  test("the list has all of them, across pages", async () => {
    const { stdout } = await run(group, "identities", "list", "-L", "all", "-o", "json", "--per-page", "7");
    const rows: { extern_uid: string; user_id: number }[] = JSON.parse(stdout);
    expect(new Set(rows.map(({ user_id }) => user_id)).size).toBe(rows.length);
    expect(rows.length).toBeGreaterThan(20);
    expect(rows).toContainEqual(expect.objectContaining({ extern_uid: "mateo.marín@acme.example", user_id: 3 }));
  });

  test("a missing identity is reported with the place to look for it", async () => {
    const selfManaged = await sandboxSession({ as: "owner" });
    const { code, stderr } = await selfManaged.run(group, "identities", "get", "x", "-g", "acme");
    expect(code).toBe(3);
    expect(stderr).toContain("this exists only in the Premium and Ultimate tiers, on the hosted offering");
    if (group === "saml") expect(stderr).toContain("forgectl users list --extern-uid");
    const { stdout } = await selfManaged.run(group, "identities", "get", "--help");
    expect(stdout).toContain("(Owner; Premium, Ultimate; hosted offering)");
  });

  test("it requires the Owner role", async () => {
    const { code, stderr } = await hosted.as("maintainer").run(group, "identities", "list", "-g", "acme");
    expect(code).toBe(5);
    expect(stderr).toContain("this needs the Owner role");
  });
});

describe("saml links", () => {
  test("are added with a level by name or number, shown by name to people and by number to programs", async () => {
    const add = (name: string, level: string, ...more: string[]) =>
      run("saml", "links", "add", name, "--access-level", level, ...more);
    expect((await add("Ops/Night shift", "Maintainer", "-o", "json")).stdout).toBe(
      '{\n  "name": "Ops/Night shift",\n  "access_level": 40,\n  "member_role_id": null\n}\n',
    );
    expect((await add("Interns", "10", "--member-role-id", "7", "-o", "table")).stdout).toBe(
      "name            Interns\naccess_level    guest\nmember_role_id  7\n",
    );
    const table = await run("saml", "links", "list", "-o", "table", "--fields", "name,access_level");
    expect(table.stdout).toMatch(/^Ops\/Night shift +maintainer$/m);
    const csv = await run("saml", "links", "list", "-o", "csv", "--fields", "name,access_level");
    expect(csv.stdout).toMatch(/^Ops\/Night shift,40$/m);
    expect((await run("saml", "links", "get", "Ops/Night shift", "--jq", ".access_level")).stdout).toBe("40\n");
    expect((await run("saml", "links", "remove", "Ops/Night shift", "--yes")).stdout).toBe(
      "saml_group_name\tstatus\nOps/Night shift\tdeleted\n",
    );
    expect((await run("saml", "links", "get", "Ops/Night shift")).code).toBe(3);
    const again = await add("Interns", "20");
    expect(again.code).toBe(1);
    expect(again.stderr).toContain("field: saml_group_name: has already been taken\n");
  });

  const allowed =
    "must be one of minimal (5), guest (10), planner (15), reporter (20), developer (30), maintainer (40), " +
    "owner (50), admin (60)";
  test.each([
    ["chief", undefined],
    ["develper", "developer"],
    ["65", undefined],
    ["", undefined],
    ["constructor", undefined],
  ])("the level %j is refused with the valid ones", async (level, guess) => {
    requests();
    const { code, stdout, stderr } = await run("saml", "links", "add", "X", "--access-level", level);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`error: --access-level: ${allowed}, not "${level}"\n`);
    expect(stderr.includes("try: ")).toBe(guess !== undefined);
    if (guess !== undefined) expect(stderr).toContain(`try:   did you mean ${guess}?\n`);
    expect(requests()).toEqual([]);
  });
});

describe("an instance with deviations", () => {
  // A 204 has no body; if one is sent anyway, it must not be mistaken for the next answer.
  const bodied = json("204 No Content", { message: "204 No Content" });
  const port = answering({
    DELETE: bodied,
    PATCH: bodied,
    "PATCH /api/v4/groups/1/saml/empty": "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
    GET: json("404 Not Found", { message: "404 Not Found" }),
    // Releases 15.3.0 to 15.3.3.
    "GET /api/v4/groups/1/saml_group_links": json("200 OK", [{ name: "A", access_level: "Maintainer" }]),
  });
  const other = session({ FORGECTL_TOKEN: "t" });
  const ask = async (...words: string[]) =>
    other.run(...words, "-g", "1", { env: { FORGECTL_BASE_URL: `http://127.0.0.1:${await port}` } });

  test("a deletion answered with 204 and a body succeeds", async () => {
    expect(await ask("scim", "identities", "delete", "x", "--yes")).toEqual({
      code: 0,
      stdout: "uid\tstatus\nx\tdeleted\n",
      stderr: "",
    });
  });

  test.each(["x", "empty"])("a change without an answer that cannot be read back is not done: %s", async (uid) => {
    const { code, stdout, stderr } = await ask(
      "saml",
      "identities",
      "update",
      uid,
      "--extern-uid",
      "y",
      "-o",
      "ndjson",
    );
    expect([code, stdout]).toEqual([3, ""]);
    expect(JSON.parse(stderr).error).toMatchObject({ outcome: "made", retryable: false });
  });

  test("a level that is a string is shown unchanged", async () => {
    expect((await ask("saml", "links", "list", "-o", "table")).stdout).toMatch(/^A +Maintainer +- +-$/m);
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function json(status: string, value: unknown): string {
  const text = JSON.stringify(value);
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
}

/** A server that answers with these bytes, by method and path or by method. */
function answering(answers: Readonly<Record<string, string>>): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      const [method = "", target = ""] = chunk.toString().split(" ");
      socket.write(answers[`${method} ${target.split("?")[0]}`] ?? answers[method] ?? "");
    });
  });
  atEnd(() => new Promise((done) => server.close(done)));
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
  });
}
