import { expect, test } from "vitest";
import { typedPage } from "../support/typed-page.ts";

// `npx vitest run test/docs/many.test.ts -u` writes the page anew.

test("the sessions of docs/many.md come out as they stand there", async () => {
  await expect(await typedPage("docs/many.md")).toMatchFileSnapshot("../../docs/many.md");
});
