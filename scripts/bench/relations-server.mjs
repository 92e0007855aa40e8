// Serves a finished export: a number of relations, each a gzip file of a given size. An optional rate, in bytes per
// second, limits all connections together.
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";

const [count, size, rate] = process.argv.slice(2).map(Number);
const origin = Date.parse("2026-01-01T00:00:00Z");

/** Issues with texts of random words, which compress to about a third. */
function member() {
  let state = 7;
  const chance = (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const word = () => chance(2_000_000).toString(36);
  const lines = Array.from({ length: 1500 }, (_, index) =>
    JSON.stringify({
      iid: index + 1,
      title: Array.from({ length: 6 }, word).join(" "),
      description: Array.from({ length: 300 }, word).join(" "),
      state: "opened",
      author_id: chance(300),
      notes: Array.from({ length: 3 }, () => ({ note: Array.from({ length: 40 }, word).join(" "), system: false })),
    }),
  );
  const text = `${lines.join("\n")}\n`;
  const packed = gzipSync(text, { level: 6 });
  return { packed, ratio: text.length / packed.length };
}

// Concatenated gzip files are a gzip file.
const { packed } = member();
const content = Buffer.concat(Array.from({ length: Math.ceil(size / packed.length) }, () => packed));

const statuses = JSON.stringify(
  Array.from({ length: count }, (_, index) => ({
    ...{ relation: `relation_${index + 1}`, status: 1, error: null, batched: false, batches_count: 0 },
    updated_at: new Date(origin + index * 1000).toISOString(),
  })),
);

const stepMs = 10;
let budget = 0;
const waiting = [];
if (rate > 0) {
  setInterval(() => {
    budget = Math.min(budget + (rate * stepMs) / 1000, rate / 10);
    for (const go of waiting.splice(0)) go();
  }, stepMs).unref();
}

function send(response) {
  response.writeHead(200, { "content-length": content.length, "content-type": "application/gzip", etag: '"1"' });
  let at = 0;
  const go = () => {
    while (at < content.length) {
      if (rate > 0 && budget <= 0) return waiting.push(go);
      const part = content.subarray(at, at + 256 * 1024);
      at += part.length;
      budget -= part.length;
      if (!response.write(part)) return response.once("drain", go);
    }
    response.end();
  };
  go();
}

createServer((request, response) => {
  if (request.url.includes("/export_relations/download")) return send(response);
  response.writeHead(200, { "content-type": "application/json" }).end(statuses);
}).listen(0, "127.0.0.1", function () {
  console.log(this.address().port);
});
