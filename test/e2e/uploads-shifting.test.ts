import { expect, test } from "vitest";
import { signedIn } from "../support/answering.ts";

/** 250 uploads, newest first; the answer to the deletion of 150 is lost, and the others take a while. */
async function shifting() {
  const alive = Array.from({ length: 250 }, (_, index) => 250 - index);
  let onFirstPage: (() => void) | undefined;
  const { run } = await signedIn(({ method, url = "" }, response) => {
    const { pathname, searchParams } = new URL(url, "http://instance.example");
    const id = Number(pathname.split("/").at(-1));
    if (method === "DELETE" && id === 150) {
      response.writeHead(502, { "content-type": "text/html" }).end("<html>");
      return;
    }
    if (method === "DELETE") {
      // The newer neighbour is gone after the first page of the check was read, and before the second one is.
      const remove = () => {
        alive.splice(alive.indexOf(id), 1);
        response.writeHead(204).end();
      };
      if (id === 151) onFirstPage = remove;
      else remove();
      return;
    }
    const page = Number(searchParams.get("page") ?? 1);
    const shown = alive.slice((page - 1) * 100, page * 100);
    const rows = shown.map((each) => ({
      id: each,
      filename: `${each}.log`,
      size: 1,
      created_at: "2020-01-01T00:00:00Z",
    }));
    const next = page * 100 < alive.length ? String(page + 1) : "";
    response.writeHead(200, { "content-type": "application/json", "x-next-page": next }).end(JSON.stringify(rows));
    if (page > 1) return;
    onFirstPage?.();
    onFirstPage = undefined;
  });
  return { run, alive };
}

test("an upload that the run's own deletions shift to a page that was read is not gone", async () => {
  const { run, alive } = await shifting();
  const line = "uploads prune -p 7 --older-than 1d --keep-n 99 --yes --retries 0 --concurrency 2 -o json";
  const { code, stdout } = await run(...line.split(" "));
  expect(alive).toContain(150);
  expect([code, JSON.parse(stdout).find(({ id }: { id: number }) => id === 150)]).toMatchObject([
    9,
    { status: "unknown" },
  ]);
});
