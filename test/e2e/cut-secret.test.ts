import { expect, test } from "vitest";
import { signedIn } from "../support/answering.ts";

test.each([
  ["text/plain", " "],
  ["application/json", '"'],
])("a token that a long %s text repeats is not shown in part", async (type, before) => {
  const token = "t0ken-of-nobody";
  const { run } = await signedIn((_, response) => {
    const text = `${"x".repeat(287 - before.length)}${before}${token} and more`;
    response.writeHead(418, { "content-type": type }).end(text);
  });
  for (const format of ["table", "json"]) {
    const { code, stderr } = await run("users", "me", "-o", format);
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining("xxxx")]);
    expect(stderr).not.toContain(token.slice(0, 6));
  }
});
