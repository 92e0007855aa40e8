import { expect, test } from "vitest";
import { json, signedIn } from "../support/answering.ts";
import { session } from "../support/session.ts";
import { smallInstance } from "../support/small-instance.ts";

const repository = (id: number) => ({ id, name: "", path: `acme/r${id}`, project_id: 7 });

test("registry usage: the sum of a list is not called that of all if a size or the tags of one are not known", async () => {
  const { url } = await smallInstance({
    "GET /projects/7/registry/repositories": [repository(1), repository(2)],
    "GET /registry/repositories/1": { ...repository(1), tags_count: 3, size: 2048 },
    "GET /registry/repositories/2": { ...repository(2), tags_count: null, size: null },
    "GET /projects/7/registry/repositories/1/tags": [{ name: "a" }],
    "GET /projects/7/registry/repositories/1/tags/a": { name: "a", digest: "sha256:1", total_size: 1024 },
    "GET /projects/7/registry/repositories/2/tags": [{ name: "index" }],
    "GET /projects/7/registry/repositories/2/tags/index": { name: "index", digest: "sha256:2", total_size: null },
  });
  const { run } = session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: "t0ken-of-nobody" });
  const usage = async (...words: string[]) => (await run("registry", "usage", "-p", "7", ...words)).stderr;
  expect(await usage("--sizes")).toBe("2 repositories, 1.0 KiB without 1 whose size is not known\n");
  expect(await usage("--by", "size")).toBe("2 repositories, 2.0 KiB without 1 whose size is not known\n");
  expect(await usage()).toBe("2 repositories, 3 tags without 1 whose tags are not known\n");
});

test("registry usage: a tag that is listed and not found has a size too, and one that is listed no more has none", async () => {
  const found = { name: "1.0", digest: "sha256:1", total_size: 1024 };
  /** @param lists the names of the tags, at the first look and at the second */
  const usage = async (...lists: string[][]) => {
    const { run } = await signedIn((request, response, origin) => {
      const last = new URL(request.url ?? "", origin).pathname.split("/").at(-1);
      const rows = last === "tags" ? lists.shift()?.map((name) => ({ name })) : [repository(1)];
      const answer = last === "1.0" ? found : rows;
      json(last === "1" ? 404 : 200, JSON.stringify(last === "1" ? { message: "404 Tag Not Found" } : answer))(
        request,
        response,
        origin,
      );
    });
    return run(..."registry usage -p 7 --sizes -o json --jq".split(" "), ".[] | [.tags, .size]");
  };
  const both = ["1", "1.0"];
  const { stdout, stderr } = await usage(both, both);
  expect(JSON.parse(stdout)).toEqual([2, null]);
  expect(stderr).toBe("1 repository, 0 B without 1 whose size is not known\n");
  expect(JSON.parse((await usage(both, ["1.0"])).stdout)).toEqual([1, 1024]);
  // A registry that restarts lists no tag.
  expect(JSON.parse((await usage(["1"], [])).stdout)).toEqual([1, null]);
});
