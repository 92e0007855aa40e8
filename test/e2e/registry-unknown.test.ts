import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { signedIn } from "../support/answering.ts";

// Tags of which an instance does not show all: images for several platforms have no time, and often no size.

const all = {
  ...{ "index-1": null, "index-2": null, "index-3": null },
  ...{ newest: "2026-01-03T00:00:00Z", newer: "2026-01-02T00:00:00Z", old: "2020-01-01T00:00:00Z" },
};
const repository = { id: 12, name: "", path: "acme/x", project_id: 7 };

interface Given {
  digest?: (name: string) => string | null;
  rules?: object[];
  permissions?: object;
  /** A tag whose deletion is answered with a page of something else, and is not made; its details are 404 then. */
  unread?: { tag: string; isListed: boolean };
}

async function instance({ digest = (name) => `sha256:${name}`, rules = [], permissions, unread }: Given = {}) {
  const tags: Record<string, string | null> = { ...all };
  const state = { isAsked: false };
  const answerTo = (method: string, path: string): unknown => {
    const [, name] = /\/repositories\/12\/tags\/([\w-]+)$/.exec(path) ?? [];
    if (name !== undefined && method === "DELETE") {
      delete tags[name];
      return null;
    }
    if (name !== undefined) {
      const created_at = tags[name];
      return { name, path: `acme/x:${name}`, digest: digest(name), created_at, total_size: created_at ? 1024 : null };
    }
    if (path.endsWith("/registry/repositories")) return [repository];
    if (path.endsWith("/tags")) return Object.keys(tags).map((each) => ({ name: each, path: `acme/x:${each}` }));
    if (path.endsWith("/rules")) return rules;
    return path.endsWith("/user")
      ? { id: 1, username: "ada", is_admin: false }
      : { id: 7, name: "x", path: "x", path_with_namespace: "acme/x", permissions };
  };
  const user = await signedIn(({ method = "", url = "" }, response) => {
    const { pathname, searchParams } = new URL(url, "http://forge.invalid");
    if (unread !== undefined && pathname.endsWith(`/tags/${unread.tag}`)) {
      state.isAsked ||= method === "DELETE";
      const [status, type, text] =
        method === "DELETE" ? [200, "text/html", "<html>"] : [404, "application/json", '{"message":"404 Not Found"}'];
      return void response.writeHead(status, { "content-type": type }).end(text);
    }
    if (state.isAsked && pathname.endsWith("/tags") && unread?.isListed === false) {
      return void response.writeHead(200, { "content-type": "application/json" }).end("[]");
    }
    // An instance whose registry decides by the time of the image pages by number.
    const head = { "content-type": "application/json", ...(searchParams.has("pagination") && { "x-page": "1" }) };
    response.writeHead(200, head).end(JSON.stringify(answerTo(method, pathname)));
  });
  return { ...user, tags, prune: (line: string) => user.run(..."registry prune -p 7".split(" "), ...line.split(" ")) };
}

const keeping = "--delete-regex .* --keep-n 2";

test.each([
  ["registry prune -p 7", "--via tags --yes"],
  ["registry tags prune 12 -p 7", "--via tags --yes"],
])("%s --keep-n %s: a tag without a time stays, and the newest of the others too", async (line, how) => {
  const { run, tags } = await instance();
  const { code } = await run(...`${line} ${keeping} ${how}`.split(" "));
  expect([code, Object.keys(tags)]).toEqual([0, ["index-1", "index-2", "index-3", "newest", "newer"]]);
});

test("nor is it in a saved plan; in bulk, the instance counts it among the newest", async () => {
  const { prune, home } = await instance();
  expect((await prune(`${keeping} --save plan.json`)).code).toBe(0);
  const { tags } = JSON.parse(readFileSync(join(home, "plan.json"), "utf8"));
  expect(tags.map(({ name }: { name: string }) => name)).toEqual(["old"]);
  const { stdout } = await prune("--delete-regex .* --keep-n 4 --dry-run --only keep --fields name --no-header");
  expect(stdout).toBe("index-1\nindex-2\nindex-3\nnewest\n");
});

test("a plan counts what is saved in it, and a sum says what is of unknown size", async () => {
  const { prune, run } = await instance({ digest: (name) => (name === "old" ? null : `sha256:${name}`) });
  const { stderr } = await prune("--delete-regex old|newer --save plan.json");
  expect(stderr).toContain("1 tag saved to plan.json, 1 without a known image not; nothing was deleted\n");
  const sized = await prune("--delete-regex index.*|old --dry-run");
  expect(sized.stderr).toContain(
    "4 of 6 tags, 1.0 KiB (without 3 of unknown size) used by no other tag, in 1 repository would be deleted\n",
  );
  expect((await run("registry", "prune", "--plan", "plan.json", "-n", "--fields", "name", "--no-header")).stdout).toBe(
    "newer\n",
  );
});

test("without a digest, a tag that has another time by its turn is stale", async () => {
  let reads = 0;
  const { prune, tags } = await instance({
    digest: (name) => {
      if (name === "old" && ++reads === 1) tags.old = "2026-01-04T00:00:00Z";
      return null;
    },
  });
  tags.older = "2019-01-01T00:00:00Z";
  const { code, stdout } = await prune(`${keeping} --via tags --yes --fields name,status --no-header`);
  expect([code, stdout, Object.keys(tags).includes("old")]).toEqual([9, "old\tstale\nolder\tdeleted\n", true]);
});

test.each([
  [{ project_access: null, group_access: null }, "EITHER"],
  [{ project_access: { access_level: 30 }, group_access: null }, "EITHER"],
  [{ project_access: { access_level: 40 }, group_access: null }, "KEEP"],
  [{ project_access: { access_level: 50 }, group_access: null }, "DELETE"],
])("a rule for owners, and %j: the tag is %s in bulk", async (permissions, verdict) => {
  const rules = [{ id: 1, project_id: 7, tag_name_pattern: "^old$", minimum_access_level_for_delete: "owner" }];
  const { prune } = await instance({ rules, permissions });
  const shown = await prune("--delete-regex old --dry-run --fields name,verdict --no-header");
  expect(shown.stdout).toContain(`old\t${verdict}\n`);
  const byTag = await prune("--delete-regex old --via tags --dry-run --fields name,verdict --no-header");
  expect(byTag.stdout).toContain(`old\t${verdict === "EITHER" ? "KEEP" : verdict}\n`);
});

const deletions = [
  "registry prune -p 7 --delete-regex old|newer --via tags --yes -o json",
  "registry tags prune 12 -p 7 --delete-regex old|newer --via tags --yes -o json",
  "registry tags delete 12 old newer -p 7 --yes -o json",
];

test.each([...deletions.map((line) => [line, true] as const), ...deletions.map((line) => [line, false] as const)])(
  "%s: a tag whose details are not found is not gone, if it is listed (%j), or nothing is",
  async (line, isListed) => {
    const { run } = await instance({ unread: { tag: "old", isListed } });
    const { code, stdout, stderr } = await run(...line.split(" "));
    const statuses = JSON.parse(stdout).map(({ status }: { status: string }) => status);
    expect([code, statuses, stderr]).toEqual([
      9,
      expect.arrayContaining(["unknown"]),
      expect.not.stringContaining("gone"),
    ]);
  },
);
