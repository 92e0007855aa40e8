import { expect, test } from "vitest";
import { bashText, plainText, powerShellText, readLine } from "../../../src/completion/line.ts";
import type { Completions, Offer } from "../../../src/completion/words.ts";

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

const of = (...words: string[]): Completions => ({ offers: words.map((word): Offer => [word, ""]) });
const bash = (line: string, answer: Completions, own = breaks, paths: readonly string[] = []) =>
  bashText(answer, readLine(line), { breaks: own, width: 0 }, () => paths);

test("bash gets the part after its last word break, quoted if no quote is open", () => {
  expect(bash("forgectl --allow=level:d", of("--allow=level:developer"))).toBe("developer\n");
  expect(bash("forgectl --allow=level:d", of("--allow=level:developer"), " \t\n")).toBe("--allow=level:developer\n");
  expect(bash('forgectl --allow="level:d', of("--allow=level:developer"))).toBe("level:developer\n");
  expect(bash("forgectl level\\:d", of("level:developer"))).toBe("level:developer\n");
  expect(bash("forgectl me/", of("me/a b"))).toBe("me/a\\ b\n");
  expect(bash("forgectl 'me/", of("me/a b", "me/it's"))).toBe("me/a b\n");
});

const hostile = [
  "Zed $(touch x)",
  "Zed `touch x`",
  'Zed "; touch x; "',
  "Zed '; touch x; '",
  "Zed !touch",
  "Zed \\$(touch x)",
  "Zed \n touch x",
  "Zed \u001b[2J",
  "Zed \u202e",
];

test("bash gets a name in the notation of the quote that is open, or not at all", () => {
  const within = (start: string) =>
    bash(`forgectl ${start}`, of(...hostile))
      .split("\n")
      .slice(0, -1);
  expect(within("Zed")).toEqual([
    "Zed\\ \\$\\(touch\\ x\\)",
    "Zed\\ \\`touch\\ x\\`",
    'Zed\\ \\"\\;\\ touch\\ x\\;\\ \\"',
    "Zed\\ \\'\\;\\ touch\\ x\\;\\ \\'",
    "Zed\\ \\!touch",
    "Zed\\ \\\\\\$\\(touch\\ x\\)",
  ]);
  // A backslash before the mark of the history would remain within double quotes.
  expect(within('"Zed')).toEqual([
    "Zed \\$(touch x)",
    "Zed \\`touch x\\`",
    "Zed '; touch x; '",
    "Zed \\\\\\$(touch x)",
  ]);
  expect(within("'Zed")).toEqual([
    "Zed $(touch x)",
    "Zed `touch x`",
    'Zed "; touch x; "',
    "Zed !touch",
    "Zed \\$(touch x)",
  ]);
  expect(within("$'Zed")).toEqual(["Zed $(touch x)", "Zed `touch x`", 'Zed "; touch x; "']);
  expect(bash("forgectl ", of("~root", "-x", "#x", "*", "=x"))).toBe("\\~root\n-x\n\\#x\n\\*\n=x\n");
  // Between backticks, `\\`` begins a command.
  expect(within("--fields `cat Zed")).toEqual(["Zed\\ \\'\\;\\ touch\\ x\\;\\ \\'", "Zed\\ \\!touch"]);
});

test("quotes with escapes end where the shell ends them", () => {
  expect(readLine("forgectl $'it\\'s' a").words).toEqual(["it's", "a"]);
  expect(readLine(`forgectl $"a b" c`).words).toEqual(["a b", "c"]);
  // Shells do not split words at other spaces.
  expect(readLine("forgectl a\u00a0b c\u3000d").words).toEqual(["a\u00a0b", "c\u3000d"]);
});

test("PowerShell gets a name in single quotes, and no name that would be read in double quotes", () => {
  const typed = (...words: string[]) =>
    powerShellText(of(...words))
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(`"${line.split("\t")[0]}"`));
  expect(typed("latest", "--output=json", "acme/web", "a.b_c-1", "é中")).toEqual([
    "latest",
    "--output=json",
    "acme/web",
    "a.b_c-1",
    "é中",
  ]);
  expect(typed("a b", "it's", "x;y", "(x)", "{x}", "@x", "a,b", "#x", "~", "!", "*", "a\\b", "")).toEqual([
    "'a b'",
    "'it''s'",
    "'x;y'",
    "'(x)'",
    "'{x}'",
    "'@x'",
    "'a,b'",
    "'#x'",
    "'~'",
    "'!'",
    "'*'",
    "'a\\b'",
    "''",
  ]);
  // It ends single quotes at typographic ones too, and begins parameters at other dashes.
  expect(typed("a‘b", "a’b", "a‚b", "a‛b", "–x", "—x", "―x")).toEqual([
    "'a‘‘b'",
    "'a’’b'",
    "'a‚‚b'",
    "'a‛‛b'",
    "'–x'",
    "'—x'",
    "'―x'",
  ]);
  const live = ["$(calc)", "$x", "`calc`", "a`nb", '";calc;"', "“;calc;“", "”;calc;”", "„;calc;„"];
  const ofCmd = ["a&calc", "a|calc", "a<b", "a>b", "a^b", "%PATH%", "--%"];
  const unshown = ["a\nb", "a\rb", "a\u0000b", "a\u0085b", "a\u202eb", "a\ud800b", ":x"];
  expect(typed(...live, ...ofCmd, ...unshown)).toEqual([]);
});

test("PowerShell is not offered a name that ends in a backslash, which would open the quotes of older versions", () => {
  expect(
    powerShellText(of("a b\\", "a\\", "a\\b"))
      .split("\n")
      .slice(0, -1),
  ).toHaveLength(1);
});

test("every character is safe in PowerShell: alone, between letters, and as the first of a word", () => {
  const wrong: [code: number, answer: string][] = [];
  for (let code = 0; code <= 0xffff; code++) {
    const char = String.fromCharCode(code);
    for (const word of [char, `a${char}b`, `${char}b`]) {
      const answer = powerShellText(of(word));
      if (answer !== "" && !isRead(answer, word)) wrong.push([code, answer]);
    }
  }
  expect(wrong).toEqual([]);
});

/** Whether PowerShell reads an answer as one word, and as this one; a text in quotes even if they have no meaning. */
function isRead(answer: string, word: string): boolean {
  if (!/^[ -~\t]*\n$/.test(answer)) return false;
  const [text = "", listed] = answer.split("\t").map((part) => part.replace(/\\u(....)/g, (_, hex) => unit(hex)));
  const content = /^'((?:[^'\u2018-\u201b]|(['\u2018-\u201b])\2)*)'$/.exec(text)?.[1];
  if (content === undefined && !/^[\p{L}\p{N}_./:=+-]+$/u.test(text)) return false;
  const read = content?.replace(/(['\u2018-\u201b])\1/g, "$1") ?? text;
  return listed === word && read === word && !/[$`"\u201c-\u201e]/.test(text);
}

const unit = (hex: string) => String.fromCharCode(Number.parseInt(hex, 16));

test("bash completes a file by itself, unless text that it does not split is before it", () => {
  const file = (skip: number): Completions => ({ offers: [], own: "file", skip });
  expect(bash("forgectl --from=no", file(7))).toBe(":file\n");
  const found = ["notes.txt", "no $(touch x)", "no\nx"];
  expect(bash("forgectl --from=no", file(7), " \t\n", found)).toBe(
    "--from=notes.txt\n--from=no\\ \\$\\(touch\\ x\\)\n",
  );
  expect(bash("forgectl a=@no", file(3), breaks, found)).toBe("@notes.txt\n@no\\ \\$\\(touch\\ x\\)\n");
  expect(bash('forgectl "a=@no', file(3), breaks, found)).toBe("a=@notes.txt\na=@no \\$(touch x)\n");
});

test("a word that is too long for a shell is not offered", () => {
  const offers = ["a".repeat(4096), "b".repeat(4097)].map((word) => [word, ""] as const);
  expect(plainText({ offers })).toBe(`${"a".repeat(4096)}\n`);
});

test("an answer is one line per word, and at the end what the shell completes", () => {
  const answer: Completions = {
    offers: [
      ["a b", "c\nd\u001b[31m"],
      ["e", ""],
      // They would be another name, or a directive.
      ["a\tb", ""],
      ["a\nb", ""],
      [":file 0", ""],
    ],
    own: "folder",
    skip: 3,
  };
  expect(plainText(answer)).toBe("a b\tc d [31m\ne\n:folder 3\n");
});

test("bash lists IDs with what they are, within its width, where it inserts none of them", () => {
  const offers: Offer[] = [
    ["2", "Deploys\u001b[2J, https://deploys.example"],
    ["13", ""],
  ];
  const list = (width: number, some = offers) =>
    bashText({ offers: some }, readLine("forgectl hooks get "), { breaks, width }, () => []);
  expect(list(80)).toBe("2   -- Deploys [2J, https://deploys.example\n13\n");
  expect(list(14)).toBe("2   -- Deploy\n13\n");
  expect(list(0)).toBe("2\n13\n");
  // One alone is inserted, and words speak for themselves.
  expect(list(80, offers.slice(0, 1))).toBe("2\n");
  expect(list(80, [...offers, ["Pager", "3"]])).toBe("2\n13\nPager\n");
});
