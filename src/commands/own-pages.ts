import { Failure } from "../base/errors.ts";
import { quoted } from "../base/shell-words.ts";
import type { Context } from "../context.ts";
import type { ExitView, View } from "../terminal/view.ts";
import { bytesOf } from "../verbs/print.ts";

/** The pages that every package carries, by name: man pages in roff, guides in Markdown. */
interface OwnPages {
  readonly manual: Readonly<Record<string, string>>;
  readonly guides: Readonly<Record<string, string>>;
}

const file = "pages.json.gz";

export async function ownPages({ program }: Pick<Context, "program">): Promise<OwnPages> {
  const packed = program.part(file);
  if (packed === undefined) throw new Failure("bug", `${file} is missing from the installation`);
  const { gunzipSync } = await import("node:zlib");
  return JSON.parse(gunzipSync(packed).toString("utf8"));
}

/** A page and the programs that can show it at a terminal, best first; `{}` is its file. */
interface Paged {
  name: string;
  /** What the programs get. */
  source: string;
  /** What is printed without them. */
  text: () => string;
  viewers: readonly string[];
}

/** Shows a page in the first viewer that is installed, at a terminal where questions are allowed; else prints it. */
export async function shown(context: Context, { name, source, text, viewers }: Paged): Promise<View | ExitView> {
  const { files, processes, stdout, prompt, program } = context;
  if (stdout.isTerminal && prompt.available && program.platform !== "win32") {
    for (const viewer of viewers) {
      const [command = ""] = viewer.split(" ");
      if ((await processes.shell(`command -v ${quoted(command)}`)).code !== 0) continue;
      const folder = await files.temporaryFolder();
      try {
        const path = `${folder}/${name}`;
        await files.write(path, source, { mode: 0o600 });
        const { code } = await processes.shell(
          viewer.replace("{}", () => quoted(path)),
          { stdio: "inherit" },
        );
        if (code === 0) return { exit: 0 };
      } finally {
        await files.removeFolder(folder);
      }
    }
  }
  return { bytes: bytesOf(text()), text: true };
}

/** What `PAGER` names, else what most systems have. */
export function pagers({ env }: Pick<Context, "env">): string[] {
  return [env.PAGER ?? "", "less"].filter((each) => each !== "").map((each) => `${each} {}`);
}
