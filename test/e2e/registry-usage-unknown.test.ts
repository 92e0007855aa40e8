import { expect, test } from "vitest";
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
