import { createHash } from "node:crypto";

const head = "# Exported by forgectl; an edited file is not replaced. SHA-256 of the lines below: ";

/** The text with a first line that tells later whether it was edited. */
export function sealed(text: string): string {
  return `${head}${digestOf(text)}\n${text}`;
}

/** Whether a file is as an export wrote it. */
export function isSealed(text: string): boolean {
  const end = text.indexOf("\n");
  const first = text.slice(0, end).replace(/\r$/, "");
  return end !== -1 && first === `${head}${digestOf(text.slice(end + 1))}`;
}

/** Version control may change line ends. */
function digestOf(text: string): string {
  return createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex");
}
