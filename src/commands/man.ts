import { array, string } from "../api/field.ts";
import { UsageError } from "../base/errors.ts";
import { nearest } from "../base/nearest.ts";
import { command } from "../declare/command.ts";
import { pageName } from "../reference/roff.ts";
import { roffText } from "../reference/roff-text.ts";
import { ownPages, shown } from "./own-pages.ts";

export const man = command({
  name: "man",
  details:
    "The pages are part of the program: no network, no installed manual. At a terminal they open in man, if it is " +
    "installed; elsewhere the page is printed as text. completion install --man copies all of them to where man finds " +
    "them.",
  args: {
    words: array(string(), "Words of a command or a group (default: the program)", { completes: "own-command" }),
  },
  examples: [{ line: "man" }, { line: "man users list" }, { line: "man state plan | grep -n exit" }],
  related: ["guide", "completion install"],
  standalone: true,
  async run(context, { words = [] }) {
    const { manual } = await ownPages(context);
    const name = pageName(words.join(" "));
    const source = manual[name];
    if (source === undefined) throw unknown(words, Object.keys(manual));
    // The man of macOS takes a path, that of other systems needs to be told that it is one.
    const viewers = [context.program.platform === "darwin" ? "man {}" : "man -l {}"];
    return shown(context, { name: `${name}.1`, source, text: () => roffText(source), viewers });
  },
});

function unknown(words: readonly string[], pages: readonly string[]): UsageError {
  // The program's own name is in all of them, and would make any two look alike.
  const own = pageName("").length + 1;
  const meant = nearest(
    words.join("-"),
    pages.map((page) => page.slice(own)),
  );
  return new UsageError(`there is no command or group '${words.join(" ")}'`, {
    code: "unknown_command",
    hint: meant === undefined ? "forgectl commands lists all commands" : `did you mean the page ${pageName(meant)}?`,
  });
}
