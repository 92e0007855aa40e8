// Serves one large content over https on every GET, and discards the body of a POST. Content number 2 is redirected to
// another origin.
import { readFileSync } from "node:fs";
import { createServer } from "node:https";

const size = Number(process.argv[2]);
const fixture = (name) => readFileSync(new URL(`../../test/faults/fixtures/${name}`, import.meta.url));
const tls = { cert: fixture("server.pem"), key: fixture("server.key") };
const block = Buffer.alloc(1024 * 1024);
for (let at = 0; at < block.length; at += 4) block.writeUInt32LE(Math.imul(at, 2_654_435_761) >>> 0, at);

const server = createServer(tls, (request, response) => {
  if (request.method === "GET" && request.url.endsWith("/2")) return redirect(response);
  if (request.method === "GET") return send(response);
  request.resume();
  request.on("end", () => {
    response.writeHead(201, { "content-type": "application/json" });
    response.end('{"id":1,"alt":"big","url":"/big","full_path":"/big","markdown":"[big](/big)"}');
  });
});

function send(response) {
  response.writeHead(200, { "content-length": size, "content-type": "application/octet-stream", etag: '"1"' });
  let left = size;
  const go = () => {
    while (left > 0) {
      const part = left >= block.length ? block : block.subarray(0, left);
      left -= part.length;
      if (!response.write(part)) return;
    }
    response.end();
  };
  response.on("drain", go);
  go();
}

const other = createServer(tls, (_request, response) => send(response)).listen(0, "127.0.0.1");

function redirect(response) {
  response.writeHead(302, { location: `https://localhost:${other.address().port}/content` }).end();
}

server.listen(0, "127.0.0.1", () => console.log(server.address().port));
