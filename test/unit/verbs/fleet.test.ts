import { describe, expect, test } from "vitest";
import { Failure, type FailureDetails } from "../../../src/base/errors.ts";
import { auditProjects } from "../../../src/verbs/audit.ts";
import { groupsBelow, noticeLeftOut, pathsBelow, projectsBelow } from "../../../src/verbs/fleet.ts";
import { scopeIds } from "../../../src/verbs/scope-ids.ts";
import { contextFor } from "../../support/context.ts";
import { smallInstance } from "../../support/small-instance.ts";

const active = { id: 1, path_with_namespace: "acme/b" };
const doomed = { id: 2, path_with_namespace: "Acme/x/doomed", marked_for_deletion_on: "2026-12-01" };
const shared = { id: 3, path_with_namespace: "acmebook/shared" };
const kept = { id: 5, path_with_namespace: "acme/a", marked_for_deletion_on: null };
const old = { id: 4, path_with_namespace: "acme/old" };
const query = "include_subgroups=true&with_shared=false&order_by=id&sort=asc";

/** A group in which projects are archived, shared, and about to be deleted. */
async function fleetContext() {
  const list = "/groups/acme/projects";
  const { url, seen } = await smallInstance({
    "GET /groups/acme": { id: 9, full_path: "acme" },
    [`GET ${list}?${query}&archived=false`]: [active, doomed, shared, kept],
    [`GET ${list}?${query}&archived=true`]: [old, { ...old, path_with_namespace: "other/old" }],
    [`GET ${list}?${query}`]: [active, doomed, shared, kept, old],
    "GET /groups/acme/descendant_groups": [
      { id: 12, full_path: "acme/z" },
      { id: 11, full_path: "acme/y" },
      { id: 13, full_path: "acme/gone", marked_for_deletion_on: "2026-12-01" },
      { id: 14, full_path: "acmebook" },
    ],
    "GET /groups/empty": { id: 10, full_path: "empty" },
    "GET /groups/empty/projects": [],
    "GET /groups/nameless": { id: 10 },
    "GET /projects/acme%2Fb": { id: 1, path_with_namespace: "acme/b" },
    "GET /projects/1": { id: 1, path_with_namespace: "acme/b" },
    "GET /projects/broken": { status: 500, body: {} },
  });
  return Object.assign(contextFor(url, { token: "t0ken-of-nobody" }), { seen });
}

describe("the projects of a group", () => {
  test("are those below it by path; what is left out is named with its reason, and counted", async () => {
    const fleet = await projectsBelow(await fleetContext(), "acme");
    expect(fleet).toEqual({
      id: 9,
      path: "acme",
      group: "acme",
      scopes: [
        { id: 5, path: "acme/a" },
        { id: 1, path: "acme/b" },
      ],
      passedOver: [
        { path: "Acme/x/doomed", why: "to be deleted" },
        { path: "acmebook/shared", why: "shared only" },
        { path: "acme/old", why: "archived" },
      ],
      leftOut: { "to be deleted": 1, "shared only": 1, archived: 1 },
      isWhole: true,
    });
  });

  test("include archived ones and those that are about to be deleted only if requested", async () => {
    const context = await fleetContext();
    const all = await projectsBelow(context, "acme", { archived: true, doomed: true });
    expect(all.scopes.map(({ path }) => path)).toEqual(["Acme/x/doomed", "acme/a", "acme/b", "acme/old"]);
    expect(all.leftOut).toEqual({ "shared only": 1 });
    expect(context.seen.filter((each) => each.includes("archived="))).toEqual([]);
  });

  test("of several groups are named by path, and what was left out is said for each", async () => {
    const context = await fleetContext();
    expect(await pathsBelow(context, ["acme", "empty"])).toEqual({ paths: ["acme/a", "acme/b"], inPart: [] });
    expect(context.notices).toEqual(["acme: left out 1 to be deleted, 1 shared only, 1 archived"]);
    noticeLeftOut(context, {
      id: 5,
      path: "acme",
      group: "acme",
      scopes: [],
      passedOver: [],
      leftOut: {},
      isWhole: true,
    });
    expect(context.notices).toHaveLength(1);
  });

  test("cannot be told without a path: an error, and not a part of them", async () => {
    await expect(projectsBelow(await fleetContext(), "nameless")).rejects.toMatchObject({ exit: "refused" });
  });

  test("have groups between them, which are listed in the same way", async () => {
    expect(await groupsBelow(await fleetContext(), "acme")).toEqual({
      id: 9,
      path: "acme",
      group: "acme",
      scopes: [
        { id: 11, path: "acme/y" },
        { id: 12, path: "acme/z" },
      ],
      passedOver: [{ path: "acme/gone", why: "to be deleted" }],
      leftOut: { "to be deleted": 1 },
      isWhole: true,
    });
  });
});

describe("IDs of scopes", () => {
  test("are the same for all names of one; what is not shown is left out", async () => {
    const scopes = ["project 1", "project acme/b", "group acme", "project missing", ""];
    expect([...(await scopeIds(await fleetContext(), scopes))]).toEqual([
      ["project 1", "project 1"],
      ["project acme/b", "project 1"],
      ["group acme", "group 9"],
    ]);
  });

  test("are not guessed while the instance fails", async () => {
    const context = await fleetContext();
    expect([...(await scopeIds(context, ["project broken"]))]).toEqual([]);
    const { url } = await smallInstance({ "GET /projects/1": { status: 401, body: {} } });
    await expect(scopeIds(contextFor(url), ["project 1"])).rejects.toMatchObject({ exit: "unauthenticated" });
  });
});

describe("an audit of projects", () => {
  const failing =
    (exit: "notFound" | "forbidden" | "refused" | "network", details: FailureDetails = {}) =>
    () =>
      Promise.reject(new Failure(exit, "no", details));
  const audit = (inspect: (project: string) => Promise<object[]>) => ({
    inspect,
    unreadable: (project: string, reason: string) => ({ project, reason }),
    isFound: (row: object) => "finding" in row,
  });
  async function audited(input: object, inspect: (project: string) => Promise<object[]>) {
    const view = await auditProjects(await fleetContext(), input, audit(inspect));
    const rows: object[] = [];
    const error = await (async () => {
      for await (const row of view.rows as AsyncIterable<object>) rows.push(row);
    })().catch((thrown: unknown) => thrown);
    return { rows, error, exit: view.exitCode?.() };
  }

  test("has rows in the order of the projects, typed ones first, each once", async () => {
    const { rows, error, exit } = await audited({ project: ["acme/b", "7"], group: ["acme"] }, async (project) => [
      { project },
    ]);
    expect(rows).toEqual(["acme/b", "7", "acme/a"].map((project) => ({ project })));
    expect([error, exit]).toEqual([undefined, 0]);
  });

  test("exits with 10 only if asked to, and something was found", async () => {
    const finding = async () => [{ finding: 1 }, {}];
    expect((await audited({ project: ["7"], exit_code: true }, finding)).exit).toBe(10);
    expect((await audited({ project: ["7"] }, finding)).exit).toBe(0);
    expect((await audited({ project: ["7"], exit_code: true }, async () => [{}])).exit).toBe(0);
  });

  test.each(["notFound", "forbidden", "refused"] as const)(
    "with %s for a project says so, and is exit 9",
    async (exit) => {
      const fail = failing(exit, { reason: "why" });
      const { rows, error } = await audited({ project: ["7", "8"] }, (project) =>
        project === "7" ? fail() : Promise.resolve([{ project }]),
      );
      expect(rows).toEqual([{ project: "7", reason: "why" }, { project: "8" }]);
      expect(error).toMatchObject({ exit: "partial", message: "1 of 2 projects could not be read" });
    },
  );

  test("ends with an error that is not of one project", async () => {
    expect((await audited({ project: ["7"] }, failing("network"))).error).toMatchObject({ exit: "network" });
    expect((await audited({ project: ["7"] }, () => Promise.reject(new TypeError("x")))).error).toBeInstanceOf(
      TypeError,
    );
  });

  test("of a group without projects finds nothing; without any project named it is exit 2", async () => {
    const inspect = async () => [{ finding: 1 }];
    expect(await audited({ group: ["empty"], exit_code: true }, inspect)).toEqual({
      rows: [],
      error: undefined,
      exit: 0,
    });
    await expect(audited({}, inspect)).rejects.toMatchObject({ exit: "usage" });
    expect((await audited({ group: ["empty"], project: ["7"] }, inspect)).rows).toHaveLength(1);
  });
});
