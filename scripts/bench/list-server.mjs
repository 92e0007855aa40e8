// A long list of users in pages of 100, in rows as documented for an administrator: about 1 kB per user. Arguments:
// number of users, latency in milliseconds.
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const total = Number(process.argv[2]);
const latency = Number(process.argv[3]);
const perPage = 100;
const pages = Math.ceil(total / perPage);
/** IDs of equal length, so that a page is made by replacing digits in a template. */
const firstId = 10_000_000;

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
    bio: "Builds things",
    bot: false,
    location: null,
    public_email: "",
    skype: "",
    linkedin: "",
    twitter: "",
    discord: "",
    website_url: "",
    organization: null,
    job_title: "Engineer",
    pronouns: null,
    followers: 1,
    following: 1,
    is_followed: false,
    email: `user.${id}@mail.example`,
    is_admin: false,
    last_sign_in_at: "2026-01-31T08:00:00.000Z",
    confirmed_at: "2024-03-01T08:00:00.000Z",
    theme_id: 1,
    last_activity_on: "2026-01-31",
    color_scheme_id: 2,
    projects_limit: 100,
    current_sign_in_at: "2026-01-31T08:00:00.000Z",
    note: null,
    identities: [{ provider: "saml", extern_uid: `${id}`, saml_provider_id: 10 }],
    can_create_group: true,
    can_create_project: true,
    two_factor_enabled: true,
    external: false,
    private_profile: false,
    current_sign_in_ip: "203.0.113.7",
    last_sign_in_ip: "203.0.113.7",
    namespace_id: id,
    created_by: null,
  };
}

const template = Buffer.from(JSON.stringify(Array.from({ length: perPage }, () => user(firstId))));
const rowSize = (template.length - 1) / perPage;
const digits = String(firstId);
const places = [];
for (let at = template.indexOf(digits); at !== -1 && at < rowSize; at = template.indexOf(digits, at + 1)) {
  places.push(at);
}

/** One page, made cheaply because the client is measured. */
function pageOf(page) {
  const before = (page - 1) * perPage;
  const count = Math.min(perPage, total - before);
  const body = Buffer.from(template.subarray(0, rowSize * count + 1));
  for (let row = 0; row < count; row++) {
    const id = String(firstId + before + row + 1);
    for (const place of places) body.latin1Write(id, row * rowSize + place);
  }
  body[body.length - 1] = "]".charCodeAt(0);
  return body;
}

createServer(async (request, response) => {
  const page = Number(/[?&]page=(\d+)/.exec(request.url)?.[1] ?? 1);
  if (latency > 0) await sleep(latency);
  const body = pageOf(page);
  // No totals: instances omit them for long lists.
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": body.length,
    "x-page": page,
    "x-next-page": page < pages ? page + 1 : "",
  });
  response.end(body);
}).listen(0, "127.0.0.1", function () {
  console.log(this.address().port);
});
