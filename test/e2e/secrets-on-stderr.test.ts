import { expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";

// For any command, no trace, error, or dry run contains the session's token or a secret from the input or an answer.

const given = ["given-s3cret-1", "given-s3cret-2"];
const lines = [
  "users list -L 1",
  "api user",
  "api application/settings -X PUT -f mailgun_signing_key=given-s3cret-1 -n",
  "api nowhere?private_note=1&sig=given-s3cret-2",
  "settings set spamsvc_enabled=true spamsvc_api_key=given-s3cret-1 -n",
  "settings set spamsvc-api-key=given-s3cret-1",
  "settings set spamsvc_api_key:given-s3cret-1",
  "settings set spamsvc_api_key=given-s3cret-1 wiki_page_max_content_bytes=1",
  "hooks create https://jo:given-s3cret-1@h.example/x?token=given-s3cret-2 -g 7 --token given-s3cret-2 -n",
  "errors keys list -p 7",
  "registry get 404404",
];

test("no secret reaches stderr or the output of a dry run", async () => {
  const { run, sandbox } = await sandboxSession();
  const secrets = [...Object.values(sandbox.tokens), ...given];
  const results = await Promise.all(lines.map((line) => run(...line.split(" "), "--debug")));
  for (const [index, { stdout, stderr }] of results.entries()) {
    const shown = lines[index]?.endsWith("-n") ? stdout + stderr : stderr;
    expect([lines[index], secrets.filter((secret) => shown.includes(secret))]).toEqual([lines[index], []]);
  }
});
