import { UsageError } from "../../base/errors.ts";

/** An upload by its ID, or by the secret and the name in its address. */
export type UploadReference = { upload_id: number } | { secret: string; filename: string };

/** An upload as typed. */
export interface TypedUpload {
  typed: string;
  reference: UploadReference;
  /** What precedes `uploads/` in an address: an origin, the path of a project or a group, both, or neither. */
  before: string | undefined;
}

const secretLength = 32;
/** `uploads/ID` or `uploads/SECRET/FILENAME`, at the end of a URL, of a path, or alone. */
const addressForm = /^((?:(?:https?:\/\/[^\s/]+)?\/(?:\S*\/)?)?)uploads\/(?:(\d+)|([^/]+)\/([^/]+))$/i;

/**
 * Reads an ID, `SECRET/FILENAME`, or the Markdown or URL that contains either: `![logo](/uploads/SECRET/logo.png)`,
 * `https://host/-/project/7/uploads/SECRET/logo.png`. Anything else is a UsageError.
 */
export function parseUpload(typed: string): TypedUpload {
  const text = typed.trim();
  // Choosing one of several might download or delete the wrong one.
  const links = text.split(destination).slice(1);
  if (links.filter((each) => each.split(")", 1)[0]?.includes("uploads/")).length > 1) {
    throw new UsageError(`"${typed}" contains several uploads`, { hint: "give each as a separate argument" });
  }
  if (/^\d+$/.test(text)) return { typed, reference: byId(text, typed), before: undefined };
  const address = inMarkdown(text) ?? text;
  const [path = ""] = address.split(/[?#]/);
  const [, before, id, secret = "", name = ""] = addressForm.exec(path) ?? [];
  if (id !== undefined) return { typed, reference: byId(id, typed), before };
  if (name !== "") return { typed, reference: bySecret(secret, decoded(name, typed), typed), before };
  const [, plainSecret, plainName] = /^([^/]+)\/([^/]+)$/.exec(text) ?? [];
  if (plainSecret === undefined || plainName === undefined || address !== text) throw broken(typed);
  return { typed, reference: bySecret(plainSecret, plainName, typed), before: undefined };
}

/** Identifies an upload within its project or group. */
export function keyOf(reference: UploadReference): string {
  return "upload_id" in reference ? String(reference.upload_id) : `${reference.secret}/${reference.filename}`;
}

/** What precedes the address of a link. */
const destination = "](";

/** The address inside a link or an image; attributes such as `{width=20}` may follow it. */
function inMarkdown(text: string): string | undefined {
  const end = text.endsWith("}") ? text.lastIndexOf("){") : text.length - 1;
  const start = text.lastIndexOf(destination, end);
  if (!/^!?\[/.test(text) || text[end] !== ")" || start === -1) return undefined;
  const inside = text.slice(start + destination.length, end).trim();
  const [, pointed, bare] = /^(?:<([^>]*)>|(\S*))(?:\s+(?:"[^"]*"|'[^']*'))?$/.exec(inside) ?? [];
  return pointed ?? bare ?? "";
}

function byId(digits: string, typed: string): UploadReference {
  const id = Number(digits);
  if (id < 1 || !Number.isSafeInteger(id)) throw broken(typed);
  return { upload_id: id };
}

function bySecret(secret: string, filename: string, typed: string): UploadReference {
  if (!/^[\w-]+$/.test(secret) || filename === "." || filename === ".." || /[/\\]/.test(filename)) throw broken(typed);
  if (secret.length !== secretLength) {
    throw new UsageError(`"${typed}" is not an upload: its secret has ${secret.length} characters instead of 32`);
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
  return new UsageError(`"${typed}" is not an upload`, {
    hint: "give its ID, SECRET/FILENAME, or Markdown or a URL with them",
  });
}
