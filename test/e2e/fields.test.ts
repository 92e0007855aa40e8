import { describe, expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";

const { run } = await sandboxSession();

describe("--fields", () => {
  test.each([
    "registry visibility private -p acme/storefront",
    "registry tags delete 12 latest -p acme/storefront --yes",
    "uploads delete 1 -p acme/storefront --yes",
    "notes delete 300001 --issue 28 -p acme/storefront --yes",
    "relations export -p acme/storefront",
  ])("%s: an unknown field is refused before anything is sent", async (line) => {
    const { code, stdout, stderr } = await run(...line.split(" "), "--fields", "nope", "--debug");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^error: there is no field "nope" in /);
    expect(stderr).not.toContain("-->");
  });

  test("a field that only failures have is accepted", async () => {
    const { code, stdout, stderr } = await run(
      ...["registry", "tags", "delete", "12", "latest", "-p", "acme/storefront", "--yes"],
      ...["--fields", "tag_name,error", "-o", "json"],
    );
    expect({ code, stderr, rows: JSON.parse(stdout) }).toEqual({
      code: 0,
      stderr: "",
      rows: [{ tag_name: "latest", error: null }],
    });
  });
});
