import { expect, test } from "vitest";
import { signedIn } from "../support/answering.ts";

test("a deletion that the instance has given up ends the wait, and is not called not ready", async () => {
  const { run } = await signedIn((request, response) => {
    const isDeletion = request.method === "DELETE";
    const repository = { id: 14, name: "", path: "acme/app", project_id: 7, status: "delete_failed" };
    response.writeHead(isDeletion ? 202 : 200, { "content-type": "application/json" });
    response.end(isDeletion ? "null" : JSON.stringify(repository));
  });
  const { code, stderr } = await run("registry", "delete", "14", "-p", "7", "--wait", "--yes");
  expect(code).toBe(1);
  expect(stderr).toContain("gave up deleting repository 14 (delete_failed)");
});
