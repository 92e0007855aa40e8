// An instance for jobs with many requests: users by ID; 200 repositories with 100 tags each; job artifacts of 1 GiB, of
// which only the directory is stored. `/counts` returns the number of requests for artifacts and their bytes. All
// answers are prepared in advance and sent after the latency; a deletion takes 170 ms, those of v5 and v6 take 4 s.
// Argument: latency in milliseconds.
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const latency = Number(process.argv[2]);

const repositories = 200;
const tagsEach = 100;
/** IDs of equal length, so that an answer is made by replacing digits in a template. */
const firstId = 10_000_000;

const json = (value) => Buffer.from(JSON.stringify(value));

const user = json({
  id: firstId,
  username: "user",
  name: "User Number One",
  state: "active",
  web_url: "https://forge.example/user",
  created_at: "2024-03-01T08:00:00.000Z",
  bio: "Builds things. ".repeat(40),
  email: "user@mail.example",
  is_admin: false,
  identities: [{ provider: "saml", extern_uid: "7f3a", saml_provider_id: 10 }],
  can_create_group: true,
  two_factor_enabled: true,
  last_sign_in_at: "2026-01-31T08:00:00.000Z",
});
const digitsAt = user.indexOf(String(firstId));

const pages = [1, 2].map((page) =>
  json(
    Array.from({ length: repositories / 2 }, (_, at) => {
      const id = (page - 1) * 100 + at + 1;
      const path = `acme/storefront/image-${id}`;
      return {
        id,
        name: `image-${id}`,
        path,
        project_id: 7,
        location: `registry.example/${path}`,
        created_at: time(id),
      };
    }),
  ),
);
const tagList = json(
  Array.from({ length: tagsEach }, (_, at) => ({ name: `v${at}`, path: `p:v${at}`, location: `l:v${at}` })),
);
const tags = new Map(
  Array.from({ length: tagsEach }, (_, at) => {
    const digest = `sha256:${String(at).padStart(64, "0")}`;
    const revision = digest.slice(7);
    const tag = {
      name: `v${at}`,
      path: `p:v${at}`,
      location: `l:v${at}`,
      revision,
      short_revision: "000000000",
      digest,
    };
    return [`v${at}`, json({ ...tag, created_at: time(at), total_size: 350_224_384 })];
  }),
);

function time(minutes) {
  return new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString();
}

const archiveBytes = 1024 ** 3;
const directory = directoryOf(2000);

/** The end of a zip archive of `files`: the central directory and its end record (APPNOTE.TXT, 4.3.12 and 4.3.16). */
function directoryOf(files) {
  const entries = Array.from({ length: files }, (_, at) => {
    const name = `build/reports/report-${at}.html`;
    const entry = Buffer.alloc(46 + name.length);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(500_000, 20);
    entry.writeUInt32LE(2_000_000, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at * 500_100, 42);
    entry.write(name, 46, "latin1");
    return entry;
  });
  const bytes = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files, 8);
  end.writeUInt16LE(files, 10);
  end.writeUInt32LE(bytes.length, 12);
  end.writeUInt32LE(archiveBytes - bytes.length - end.length, 16);
  return Buffer.concat([bytes, end]);
}

const counts = { requests: 0, bytes: 0 };

const server = createServer(async (request, response) => {
  if (request.method === "DELETE") await sleep(/\/v[56]$/.test(request.url) ? 4000 : 170);
  else if (latency > 0) await sleep(latency);
  const [path, query = ""] = request.url.split("?");
  const answer = (body, headers = {}, status = 200) => {
    response.writeHead(status, { "content-type": "application/json", "content-length": body.length, ...headers });
    response.end(body);
  };
  if (path.startsWith("/api/v4/users/")) {
    const body = Buffer.from(user);
    body.latin1Write(path.slice(-8), digitsAt);
    return answer(body);
  }
  if (path.endsWith("/registry/repositories")) {
    const page = Number(/(?:^|&)page=(\d+)/.exec(query)?.[1] ?? 1);
    return answer(pages[page - 1] ?? Buffer.from("[]"), { "x-page": page, "x-next-page": page === 1 ? 2 : "" });
  }
  if (path.endsWith("/tags")) return answer(tagList, { "x-page": 1, "x-next-page": "" });
  if (path.endsWith("/artifacts")) return archive(request, response);
  if (path === "/counts") return answer(json(counts));
  const tag = tags.get(path.slice(path.lastIndexOf("/") + 1));
  answer(tag ?? json({ message: "404 Not Found" }), {}, tag === undefined ? 404 : 200);
});

/** Serves only ranges of the archive; a request for the complete archive fails. */
function archive(request, response) {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
  const start = from === "" ? archiveBytes - Number(to) : Number(from);
  const end = from === "" || to === "" ? archiveBytes : Number(to) + 1;
  const at = start - (archiveBytes - directory.length);
  const pad = Buffer.alloc(Math.max(0, Math.min(end - start, -at)));
  const body = Buffer.concat([pad, directory.subarray(Math.max(0, at), Math.max(0, at) + end - start - pad.length)]);
  counts.requests += 1;
  counts.bytes += body.length;
  response.writeHead(206, {
    "content-type": "application/zip",
    "content-length": body.length,
    "content-range": `bytes ${start}-${end - 1}/${archiveBytes}`,
  });
  response.end(body);
}

server.listen(0, "127.0.0.1", () => console.log(server.address().port));
