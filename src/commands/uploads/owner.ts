import { readPlace } from "../../api/place.ts";
import { UsageError, undefinedOn } from "../../base/errors.ts";
import { isId } from "../../base/group-paths.ts";
import { commandLine } from "../../base/shell-words.ts";
import { withoutEnd } from "../../base/without-end.ts";
import type { Context } from "../../context.ts";
import { parseUpload, type TypedUpload, type UploadReference } from "./reference.ts";

type Kind = "project" | "group";

/** The project or group in an upload's address. */
interface Owner {
  kind: Kind;
  /** ID or full path. */
  name: string;
}

/** The scope flags of a command: one of them is given. */
interface Scope {
  project?: string | undefined;
  group?: string | undefined;
}

/**
 * Reads an upload as typed. An address must be of this instance, and of the command's project or group: an ID from
 * another one would name the wrong upload. UsageError otherwise.
 */
export async function readUpload(context: Context, typed: string, scope: Scope): Promise<UploadReference> {
  const upload = parseUpload(typed);
  const owner = ownerIn(upload, context.config.baseUrl?.value);
  if (owner !== undefined) await checkOwner(context, upload, owner, scope);
  return upload.reference;
}

/**
 * The project or group in an upload's address.
 *
 * @param baseUrl the instance's address, without a slash at the end; an address of another one is a UsageError
 */
export function ownerIn({ typed, before = "" }: TypedUpload, baseUrl: string | undefined): Owner | undefined {
  if (/^https?:/i.test(before) && !URL.canParse(before)) throw new UsageError(`"${typed}" is not an upload`);
  const path = withoutBase(before, baseUrl);
  if (path === undefined) {
    throw new UsageError(`"${typed}" is not an upload of ${baseUrl}`, {
      hint: "give --base-url or --profile of the instance that the address is from",
    });
  }
  const place = withoutEnd(path.replace(/^\/+/, ""), /\//);
  if (place === "") return undefined;
  const [, numbered, number] = /^-\/(project|group)\/(\d+)$/.exec(place) ?? [];
  if (numbered !== undefined && number !== undefined) return { kind: numbered as Kind, name: number };
  const [, api, encoded] = /^api\/v4\/(project|group)s\/([^/]+)$/.exec(place) ?? [];
  if (api !== undefined && encoded !== undefined) return { kind: api as Kind, name: decoded(encoded, typed) };
  const [, encodedGroup] = /^groups\/(.+?)(?:\/-)?$/.exec(place) ?? [];
  const group = encodedGroup === undefined ? undefined : decoded(encodedGroup, typed);
  if (group !== undefined && isId(group)) {
    throw new UsageError(`"${typed}": requests would read the path ${group} as the ID of another group`, {
      hint: "give the group's ID with -g, and only the ID or SECRET/FILENAME of the upload",
    });
  }
  if (group !== undefined) return { kind: "group", name: group };
  return { kind: "project", name: decoded(place.replace(/\/-$/, ""), typed) };
}

/** What follows the instance's address; undefined for another instance's. A path alone is this instance's. */
function withoutBase(before: string, baseUrl: string | undefined): string | undefined {
  // If no instance is configured, nothing will be sent.
  const base = new URL(baseUrl ?? new URL(before, "http://instance.invalid").origin);
  const prefix = base.pathname.replace(/\/$/, "");
  if (!/^https?:/i.test(before)) return before.startsWith(`${prefix}/`) ? before.slice(prefix.length) : before;
  const url = new URL(before);
  if (url.origin !== base.origin || url.username !== "") return undefined;
  return url.pathname.startsWith(`${prefix}/`) ? url.pathname.slice(prefix.length) : undefined;
}

function decoded(text: string, typed: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UsageError(`"${typed}" is not an upload`);
  }
}

async function checkOwner(context: Context, { typed }: TypedUpload, owner: Owner, scope: Scope): Promise<void> {
  const kind = scope.project === undefined ? "group" : "project";
  const given = scope[kind] ?? "";
  if (owner.kind === kind && (await isSamePlace(context, kind, owner.name, given, typed))) return;
  throw new UsageError(`"${typed}" is an upload of ${owner.kind} ${owner.name}, not of ${kind} ${given}`, {
    hint: `give ${commandLine([`--${owner.kind}`, owner.name])}`,
  });
}

/** An ID and a path, or a current and a former path, may be the same project or group: the instance decides. */
async function isSamePlace(context: Context, kind: Kind, one: string, other: string, typed: string): Promise<boolean> {
  if (one.toLowerCase() === other.toLowerCase()) return true;
  if (isId(one) && isId(other)) return false;
  const [first, second] = await Promise.all([idOf(context, kind, one), idOf(context, kind, other)]);
  if (first !== undefined && second !== undefined) return first === second;
  throw new UsageError(`"${typed}": this may not be an upload of ${kind} ${other}`, {
    reason: `the instance did not say whether ${kind} ${one} is the same`,
    hint: `give ${commandLine([`--${kind}`, one])}, or only the ID or SECRET/FILENAME of the upload`,
  });
}

async function idOf(context: Context, kind: Kind, name: string): Promise<number | undefined> {
  if (isId(name)) return Number(name);
  return (await readPlace(context.api, kind, name).catch(undefinedOn("notFound", "refused")))?.id;
}
