import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { atEnd } from "../support/ending.ts";
import { session } from "../support/session.ts";
import { zip } from "../support/zip.ts";

// `artifacts list` requests the end of an archive, and then the rest of its directory.

const namesOf = (kind: string) =>
  Array.from({ length: 6000 }, (_, at) => `a folder/with a name/${kind} file ${at}.txt`);
const archiveOf = (kind: string) => zip(namesOf(kind).map((name) => ({ name, content: "x" })));
const [older, newer] = [archiveOf("older"), archiveOf("newer")];

interface Part {
  start: number;
  /** After its last byte. */
  end: number;
}

/** Lists the archive of a server with these answers to the first request and to the ones after it. */
async function listed(...[first, second = first]: ((response: ServerResponse, part: Part) => void)[]) {
  let requests = 0;
  const server = createServer((request, response) => {
    const [, from, last] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
    const start = from === "" ? older.length - Number(last) : Number(from);
    const answer = requests++ === 0 ? first : second;
    answer?.(response, { start, end: from === "" ? older.length : Number(last) + 1 });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => server.close());
  const { port } = server.address() as AddressInfo;
  const { run } = session({ FORGECTL_BASE_URL: `http://127.0.0.1:${port}`, FORGECTL_TOKEN: "any" });
  const result = await run(..."artifacts list -p 7 --job-id 1 --fields path -o json".split(" "));
  const { error } = result.code === 0 ? { error: undefined } : JSON.parse(result.stderr);
  return { ...result, error, requests };
}

function send(archive: Buffer, etag?: string) {
  return (response: ServerResponse, { start, end }: Part) => {
    const range = `bytes ${start}-${end - 1}/${archive.length}`;
    response.writeHead(206, { "content-range": range, ...(etag !== undefined && { etag }) });
    response.end(archive.subarray(start, end));
  };
}

/** Sends more than was requested, until the client leaves. */
function endless(status: number, headers: Record<string, string>) {
  return (response: ServerResponse) => {
    response.writeHead(status, headers);
    const chunk = Buffer.alloc(1024 * 1024);
    let left = 512;
    const more = () => {
      while (left-- > 0) if (!response.write(chunk)) return void response.once("drain", more);
      response.end();
    };
    more();
  };
}

test("rows of two archives are never mixed: a newer job may finish between two requests", async () => {
  expect(newer).toHaveLength(older.length);
  const { code, stdout, error, requests } = await listed(send(older, '"1"'), send(newer, '"2"'));
  expect({ code, stdout, requests }).toEqual({ code: 6, stdout: "", requests: 2 });
  expect(error).toMatchObject({ code: "changed_meanwhile", retryable: true });
});

test("an archive of another size is another archive, also without a validator", async () => {
  const longer = zip([{ name: "one more" }, ...namesOf("newer").map((name) => ({ name, content: "x" }))]);
  const { code, error } = await listed(send(older), send(longer));
  expect([code, error.code]).toEqual([6, "changed_meanwhile"]);
});

test.each([
  ["the whole in place of a part", [send(older), endless(200, {})]],
  ["more than the part announced", [endless(206, { "content-range": "bytes 0-99/100" })]],
])("%s is not read into memory", async (_, answers) => {
  const { code, stdout, error } = await listed(...answers);
  expect([code, stdout, error.code]).toEqual([12, "", "unexpected_answer"]);
});

test("another part than the requested one", async () => {
  const shifted = (response: ServerResponse, { end }: Part) => send(older)(response, { start: 0, end });
  const { code, error } = await listed(send(older), shifted);
  expect([code, error.code]).toEqual([12, "unexpected_answer"]);
});

test("an archive of which all claims to be directory is read in pieces", async () => {
  const large = Buffer.concat([Buffer.alloc(40 * 1024 * 1024), older]);
  large.writeUInt32LE(0, large.length - 6);
  const asked: number[] = [];
  const noting = (response: ServerResponse, { start, end }: Part) => {
    asked.push(end - start);
    const shift = start >= older.length - 256 * 1024 && asked.length === 1 ? large.length - older.length : 0;
    send(large)(response, { start: start + shift, end: end + shift });
  };
  const { code } = await listed(noting);
  expect([code, Math.max(...asked)]).toEqual([12, 16 * 1024 * 1024]);
});
