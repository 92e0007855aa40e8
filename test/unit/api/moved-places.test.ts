import { describe, expect, test } from "vitest";
import { MovedPlaces } from "../../../src/api/moved-places.ts";
import { Failure } from "../../../src/base/errors.ts";

const api = "https://forge.example/api/v4";
const old = "/projects/acme%2Fdocs";
const isRefused = (moved: MovedPlaces, path: string, method = "PUT") => {
  try {
    moved.refuse(method, path);
    return false;
  } catch (error) {
    expect(error).toBeInstanceOf(Failure);
    const { exit, details } = error as Failure;
    expect([exit, details.code, details.nothing, details.retryable]).toEqual(["refused", "moved", "sent", false]);
    return true;
  }
};

describe("a read that another address answered", () => {
  test.each<[string, string, string, boolean]>([
    ["by another path", `${old}/hooks`, `${api}/projects/acme%2Fwiki/hooks`, true],
    ["by an ID", `${old}/hooks?page=2`, `${api}/projects/7/hooks`, true],
    ["by the same", `${old}/hooks`, `${api}/projects/acme%2Fdocs/hooks?page=1`, false],
    ["by the same in other letters", `${old}/hooks`, `${api}/projects/Acme%2fDocs/hooks`, false],
    ["by one with a stray percent sign", `${old}/hooks`, `${api}/projects/50%/hooks`, true],
    ["of another kind", `${old}/hooks`, `${api}/groups/acme/hooks`, false],
    ["of no such place", `${old}/hooks`, `${api}/user`, false],
    ["of another base", `${old}/hooks`, "https://forge.example/projects/acme/hooks", false],
    ["below a base that looks like the API's", old, "https://forge.example/api/v4/projects/x/api/v4/projects/y", true],
  ])("%s: a change is refused", (_, sent, answered, refused) => {
    const moved = new MovedPlaces();
    moved.note(sent, answered);
    expect(isRefused(moved, `${old}/hooks/1`)).toBe(refused);
    expect(isRefused(moved, old)).toBe(refused);
    expect(isRefused(moved, `${old}?a=1`, "DELETE")).toBe(refused);
    for (const other of ["/projects/acme%2Fdocs2", "/groups/acme%2Fdocs", "/user"])
      expect(isRefused(moved, other)).toBe(false);
    for (const method of ["GET", "HEAD"]) expect(isRefused(moved, old, method)).toBe(false);
  });

  test("says nothing without a project or a group", () => {
    const moved = new MovedPlaces();
    moved.note("/user", `${api}/users/1`);
    expect(isRefused(moved, "/user")).toBe(false);
    expect(isRefused(moved, "/users/1")).toBe(false);
  });
});

describe("an object that is shown with its path", () => {
  test.each<[string, string, object, boolean]>([
    ["another", `/api/v4${old}`, { path_with_namespace: "acme/wiki" }, true],
    ["the same", `/api/v4${old}`, { path_with_namespace: "Acme/Docs" }, false],
    ["none", `/api/v4${old}`, { id: 7 }, false],
    ["a group's", `/api/v4${old}`, { full_path: "acme/wiki" }, false],
    ["not its own, but of something in it", `/api/v4${old}/hooks`, { path_with_namespace: "acme/wiki" }, false],
  ])("%s: a change is refused", (_, path, value, refused) => {
    const moved = new MovedPlaces();
    moved.noteObject(path, value);
    expect(isRefused(moved, old)).toBe(refused);
  });

  test("a group has a path of its own, and an ID does not move", () => {
    const moved = new MovedPlaces();
    moved.noteObject("/api/v4/groups/acme", { full_path: "globex", path_with_namespace: "acme" });
    expect(isRefused(moved, "/groups/acme/hooks")).toBe(true);
    moved.noteObject("/api/v4/projects/7", { path_with_namespace: "acme/wiki" });
    expect(isRefused(moved, "/projects/7")).toBe(false);
    moved.noteObject("/api/v4/user", { full_path: "x" });
    expect(isRefused(moved, "/user")).toBe(false);
  });
});
