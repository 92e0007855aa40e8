import { expect, test } from "vitest";
import { bashText, plainText, readLine } from "../../../src/completion/line.ts";
import type { Answer, Offer } from "../../../src/completion/words.ts";

const breaks = " \t\n\"'@><=;|&(:";

test("a line is read as its shell reads it, up to the cursor", () => {
  const words = (line: string) => readLine(line).words;
  expect(words("forgectl ")).toEqual([""]);
  expect(words("forgectl users  li")).toEqual(["users", "li"]);
  expect(words(`forgectl -f 'a b'="c\\"d" e\\ f ''`)).toEqual(["-f", 'a b=c"d', "e f", ""]);
  expect(words(`forgectl --fields "id,na`)).toEqual(["--fields", "id,na"]);
  expect(words("forgectl x '")).toEqual(["x", ""]);
  expect(words("A=1 sudo /usr/bin/forgectl users l")).toEqual(["users", "l"]);
  // An alias has another name.
  expect(words("A=1 fc users l")).toEqual(["users", "l"]);
});

const of = (...words: string[]): Answer => ({ offers: words.map((word): Offer => [word, ""]) });
const bash = (line: string, answer: Answer, own = breaks) => bashText(answer, readLine(line), own);

test("bash gets the part after its last word break, quoted if no quote is open", () => {
  expect(bash("forgectl --allow=level:d", of("--allow=level:developer"))).toBe("developer\n");
  expect(bash("forgectl --allow=level:d", of("--allow=level:developer"), " \t\n")).toBe("--allow=level:developer\n");
  expect(bash('forgectl --allow="level:d', of("--allow=level:developer"))).toBe("level:developer\n");
  expect(bash("forgectl level\\:d", of("level:developer"))).toBe("level:developer\n");
  expect(bash("forgectl me/", of("me/a b"))).toBe("me/a\\ b\n");
  expect(bash("forgectl 'me/", of("me/a b", "me/it's"))).toBe("me/a b\n");
});

test("bash completes a file by itself, unless text that it does not split is before it", () => {
  expect(bash("forgectl --from=no", { offers: [], own: "file", skip: 7 })).toBe(":file\n");
  expect(bash("forgectl --from=no", { offers: [], own: "file", skip: 7 }, " \t\n")).toBe(":file --from=\n");
  expect(bash("forgectl a=@no", { offers: [], own: "file", skip: 3 })).toBe(":file @\n");
});

test("an answer is one line per word, with any text in it, and at the end what the shell completes", () => {
  const answer: Answer = {
    offers: [
      ["a\tb", "c\nd\u001b[31m"],
      ["e", ""],
    ],
    own: "folder",
    skip: 3,
  };
  expect(plainText(answer)).toBe("a b\tc d [31m\ne\n:folder 3\n");
});
