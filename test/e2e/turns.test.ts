import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Answer, signedIn } from "../support/answering.ts";
import { sampled } from "../support/examples.ts";
import { binary, node } from "../support/session.ts";
import { zip } from "../support/zip.ts";

// However much is read, compared, or written: the program looks at its signals in between. A turn of its event loop is
// measured against the whole run, since machines differ. By default some lines, chosen by FORGECTL_TEST_SEED; with
// FORGECTL_TEST_EXAMPLES=all, all. What is computed with the default effect of signals may take longer.

const lines = [
  "users list --limit all -o table",
  "users list --limit all -o json",
  "users list --limit all -o yaml",
  "users list --limit all -o csv",
  "users list --limit all -o ndjson",
  "users list --limit all -o yaml --fields id,username",
  "api users --paginate -o yaml",
  "users report",
  "artifacts list -p 7 --job-id 1",
  "artifacts list -p 7 --job-id 1 -o yaml",
  "state plan -f hooks.yaml",
  "batch lines.ndjson --dry-run",
  "batch blank.ndjson --dry-run",
];

const count = 60_000;
const userOf = (id: number) => ({
  id,
  username: `user-${id}`,
  name: `User ${id}`,
  state: "active",
  email: `${id}@a.b`,
});
const archive = zip(Array.from({ length: count }, (_, at) => ({ name: `a folder/with a name/file-${at}.txt` })));

const hooks = Array.from({ length: 2_000 }, (_, at) => ({ name: `Hook ${at}`, url: "https://a.example/in" }));

/** Pages of users, all webhooks, and the archive of a job in ranges. */
const answer: Answer = (request, response, origin) => {
  const { pathname, searchParams } = new URL(request.url ?? "", origin);
  if (pathname.includes("/artifacts")) {
    const [, from = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
    const start = from === "" ? archive.length - Number(last) : Number(from);
    const end = from === "" ? archive.length : Number(last) + 1;
    response.writeHead(206, { "content-range": `bytes ${start}-${end - 1}/${archive.length}` });
    return response.end(archive.subarray(start, end));
  }
  const json = (value: unknown) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(value));
  };
  if (pathname.endsWith("/hooks")) return json(hooks.map((hook, at) => ({ id: at + 1, ...hook, push_events: true })));
  if (pathname.endsWith("/groups/acme")) return json({ id: 1, full_path: "acme" });
  const [page, size] = [Number(searchParams.get("page") ?? 1), Number(searchParams.get("per_page") ?? 100)];
  const first = (page - 1) * size + 1;
  const users = Array.from({ length: Math.min(size, count - first + 1) }, (_, at) => userOf(first + at));
  const next = first + size <= count ? String(page + 1) : "";
  searchParams.set("page", next);
  response.writeHead(200, {
    ...{ "content-type": "application/json", "x-total": String(count), "x-page": String(page) },
    ...{ "x-per-page": String(size), "x-next-page": next },
    ...(next !== "" && { link: `<${origin}${pathname}?${searchParams}>; rel="next"` }),
  });
  response.end(JSON.stringify(pathname.endsWith("/users") ? users : userOf(1)));
};

/** Notes the longest time between two turns, and that of the run, in milliseconds. */
const probe = `
import { writeFileSync } from "node:fs";
let [last, longest] = [performance.now(), 0];
const look = () => {
  const now = performance.now();
  [last, longest] = [now, Math.max(longest, now - last)];
};
setInterval(look, 5).unref();
process.on("exit", () => {
  look();
  writeFileSync(process.env.PROBED, JSON.stringify({ longest, all: performance.now() }));
});
`;

test.each(sampled(lines, 3))(
  "%s has no long turn",
  async (line) => {
    const { env, home } = await signedIn(answer);
    const user = `${JSON.stringify({ args: ["users", "get", "1"] })}\n`;
    writeFileSync(join(home, "lines.ndjson"), user.repeat(5_000));
    writeFileSync(join(home, "blank.ndjson"), "\n".repeat(5_000_000) + user);
    const declared = hooks.map((hook) => ({ ...hook, events: ["push", "releases"] }));
    writeFileSync(join(home, "hooks.yaml"), JSON.stringify({ forgectl: 1, groups: { acme: { hooks: declared } } }));
    writeFileSync(join(home, "probe.mjs"), probe);
    const probed = join(home, "probed.json");
    const child = spawn(node, ["--import", `file://${home}/probe.mjs`, binary, ...line.split(" ")], {
      cwd: home,
      env: { ...(env as NodeJS.ProcessEnv), PROBED: probed },
      stdio: ["ignore", "ignore", "ignore"],
    });
    await once(child, "exit");
    const { longest, all } = JSON.parse(readFileSync(probed, "utf8"));
    // A start, and a collection of garbage, take a turn of their own.
    expect([line, longest < Math.max(1_000, all / 4), Math.round(longest), Math.round(all)]).toEqual([
      ...[line, true, expect.any(Number), expect.any(Number)],
    ]);
  },
  120_000,
);
