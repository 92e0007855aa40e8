import { expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";

// Every flag and argument that can carry a secret: arguments show in process lists.

const { run } = await sandboxSession();

test.each([
  ["hooks create https://x.example -g acme -n --header", "Authorization: hush-hush", "Authorization", "--header-file"],
  ["api user -n -H", "Cookie: hush-hush", "Cookie", "--header-file"],
  ["api user -X POST -n -F", "private_key=hush-hush", "private_key", "-F 'private_key=@file'"],
  ["settings set -n", "spamsvc_api_key=hush-hush", "spamsvc_api_key", "spamsvc_api_key=@file"],
  ["profiles set -n work", "proxy=http://me:hush-hush@proxy.example", "password of the proxy", "HTTPS_PROXY"],
])("%s: warns, names the alternative, and does not repeat it", async (line, secret, name, instead) => {
  const { code, stdout, stderr } = await run(...line.split(" "), secret);
  expect([code, stdout.includes("hush-hush"), stderr.includes("hush-hush")]).toEqual([0, false, false]);
  const warning = stderr.split("\n").find((each) => each.startsWith("warning:")) ?? "";
  for (const part of [name, "an argument shows in process lists", instead]) expect(warning).toContain(part);
});
