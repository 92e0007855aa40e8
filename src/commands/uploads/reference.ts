import { UsageError } from "../../errors.ts";

/** An upload by its ID, or by the secret and the name in its address. */
export type UploadReference = { upload_id: number } | { secret: string; filename: string };

const secretLength = 32;
/** `uploads/ID` or `uploads/SECRET/FILENAME`, at the end of a URL, of a path, or alone. */
const addressForm = /^(?:(?:https?:\/\/[^\s/]+)?\/(?:\S*\/)?)?uploads\/(?:(\d+)|([^/]+)\/([^/]+))$/;

/**
 * Reads an ID, `SECRET/FILENAME`, or the Markdown or URL that holds either: `![logo](/uploads/SECRET/logo.png)`,
 * `https://host/-/project/7/uploads/SECRET/logo.png`. What is neither is a UsageError.
 */
export function parseUpload(typed: string): UploadReference {
  const text = typed.trim();
  // Taking one of several would download, or delete, what was perhaps not meant.
  if ((text.match(/\]\([^)]*uploads\//g) ?? []).length > 1) {
    throw new UsageError(`"${typed}" holds several uploads`, { hint: "give each as an argument of its own" });
  }
  if (/^\d+$/.test(text)) return byId(text, typed);
  const address = inMarkdown(text) ?? text;
  const [path = ""] = address.split(/[?#]/);
  const [, id, secret = "", name = ""] = addressForm.exec(path) ?? [];
  if (id !== undefined) return byId(id, typed);
  if (name !== "") return bySecret(secret, decoded(name, typed), typed);
  const [, plainSecret, plainName] = /^([^/]+)\/([^/]+)$/.exec(text) ?? [];
  if (plainSecret === undefined || plainName === undefined || address !== text) throw broken(typed);
  return bySecret(plainSecret, plainName, typed);
}

/** The address inside a link or an image; attributes such as `{width=20}` may follow it. */
function inMarkdown(text: string): string | undefined {
  const [, inside] = /^!?\[.*\]\((.*)\)(?:\{[^}]*\})?$/s.exec(text) ?? [];
  const [, pointed, bare] = /^\s*(?:<([^>]*)>|(\S*))(?:\s+(?:"[^"]*"|'[^']*'))?\s*$/.exec(inside ?? "") ?? [];
  return inside === undefined ? undefined : (pointed ?? bare ?? "");
}

function byId(digits: string, typed: string): UploadReference {
  const id = Number(digits);
  if (id < 1 || !Number.isSafeInteger(id)) throw broken(typed);
  return { upload_id: id };
}

function bySecret(secret: string, filename: string, typed: string): UploadReference {
  if (!/^[\w-]+$/.test(secret) || filename === "." || filename === ".." || /[/\\]/.test(filename)) throw broken(typed);
  if (secret.length !== secretLength) {
    throw new UsageError(`"${typed}" is no upload: its secret has ${secret.length} characters instead of 32`);
  }
  return { secret, filename };
}

function decoded(name: string, typed: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw broken(typed);
  }
}

function broken(typed: string): UsageError {
  return new UsageError(`"${typed}" is no upload`, {
    hint: "give its ID, SECRET/FILENAME, or the Markdown or the URL that holds them",
  });
}
