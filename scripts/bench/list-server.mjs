// A long list of users in pages of 100, each answered after a while. Arguments: how many users, latency in milliseconds.
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const total = Number(process.argv[2]);
const latency = Number(process.argv[3]);
const perPage = 100;
const pages = Math.ceil(total / perPage);

function user(id) {
  return {
    id,
    username: `user.${id}`,
    name: `User Number ${id}`,
    state: "active",
    locked: false,
    avatar_url: null,
    web_url: `https://forge.example/user.${id}`,
    created_at: "2024-03-01T08:00:00.000Z",
    email: `user.${id}@mail.example`,
    last_activity_on: "2026-01-31",
    two_factor_enabled: id % 3 === 0,
  };
}

function textOf(page) {
  const count = Math.min(perPage, total - (page - 1) * perPage);
  return JSON.stringify(Array.from({ length: count }, (_, index) => user((page - 1) * perPage + index + 1)));
}

// Made beforehand: what is measured is the client.
const first = textOf(1);

createServer(async (request, response) => {
  const page = Number(new URL(request.url, "http://x").searchParams.get("page") ?? 1);
  if (latency > 0) await sleep(latency);
  // No totals: an instance leaves them out of long lists.
  response.writeHead(200, {
    "content-type": "application/json",
    "x-page": page,
    "x-next-page": page < pages ? page + 1 : "",
  });
  response.end(page === 1 ? first : textOf(page));
}).listen(0, "127.0.0.1", function () {
  console.log(this.address().port);
});
