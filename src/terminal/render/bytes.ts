import { UsageError } from "../../base/errors.ts";
import type { Output } from "../../host.ts";
import { safe } from "../sanitize.ts";
import type { BytesView } from "../view.ts";

/** Writes bytes as they arrive; to a terminal only text, with control characters shown. */
export async function renderBytes(view: BytesView, stdout: Output): Promise<void> {
  if (stdout.isTerminal) return renderText(view, stdout);
  for await (const chunk of view.bytes) await stdout.writeBytes(chunk);
}

async function renderText(view: BytesView, stdout: Output): Promise<void> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let checked = false;
  let last = "\n";
  const write = async (text: string) => {
    if (text === "") return;
    last = text.at(-1) ?? last;
    await stdout.writeData(text);
  };
  for await (const chunk of view.bytes) {
    if (!checked && chunk.length > 0) {
      if (view.text === false || !looksLikeText(chunk)) throw notText();
      checked = true;
    }
    await write(decoder.decode(chunk, { stream: true }));
  }
  await write(decoder.decode());
  // The next prompt or error starts on a new line.
  if (last !== "\n") await stdout.write(safe`\n`);
}

/** No NUL, and valid UTF-8, except that the last character may continue in the next chunk. */
function looksLikeText(chunk: Uint8Array): boolean {
  if (chunk.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(chunk, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function notText(): UsageError {
  return new UsageError("this is not text, and stdout is a terminal", {
    code: "not_text",
    hint: "write it to a file with -O <file>, or send it through a pipe",
  });
}
