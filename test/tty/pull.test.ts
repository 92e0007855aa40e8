import { beforeAll, expect, test } from "vitest";
import { exporting, packed } from "../support/exporting.ts";
import { describeTerminal, openTerminal, type Terminal } from "../support/terminal.ts";

const content = packed(...Array.from({ length: 3000 }, (_, index) => ({ index, text: crypto.randomUUID() })));
const slow = await exporting(["a", "b", "c", "d"].map((relation) => ({ relation, content })));
// One is sent at once, the others slowly.
slow.state.fault = (_request, response, { relation }) => {
  if (relation === "a") return false;
  response.writeHead(200, { etag: '"1"', "content-length": content.length });
  let at = 0;
  const timer = setInterval(() => {
    response.write(content.subarray(at, at + 6000));
    at += 6000;
    if (at < content.length && !response.destroyed) return;
    clearInterval(timer);
    response.end();
  }, 200);
  return true;
};

describeTerminal("relations pull", () => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await openTerminal({
      env: { FORGECTL_BASE_URL: slow.env.FORGECTL_BASE_URL, FORGECTL_TOKEN: slow.env.FORGECTL_TOKEN },
    });
  });

  test("one line has the number of finished files, the bytes, the rate, and the time left; it is cleared at the end", async () => {
    terminal.start("forgectl relations pull out -p 7 --latest --fields relation,status --no-header | sort");
    expect(await terminal.shows(/1 of 4 .*left$/m)).toEqual([
      expect.stringMatching(
        // There is no room for the bar.
        /^[⠁-⠿] pulling relations: 1 of 4 \d+% [\d.]+ KiB of [\d.]+ KiB, [\d.]+ KiB\/s, \d+s left$/,
      ),
    ]);
    const { lines, code } = await terminal.end();
    expect([code, lines.map((line) => line.split(/\s+/))]).toEqual([
      0,
      [["4", "of", "4", "done"], ...["a", "b", "c", "d"].map((name) => [name, "fetched"])],
    ]);
  });
});
