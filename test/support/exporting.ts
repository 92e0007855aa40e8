import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { signedIn } from "./answering.ts";

/** A relation, or a batch of one, to be served. */
export interface Served {
  relation: string;
  batch?: number;
  /** The bytes sent. */
  content: Buffer;
  /** The announced count of a batch; by default its lines. */
  objects?: number;
  updatedAt?: string;
  /** Why the instance could not export it. */
  error?: string;
}

export const packed = (...objects: object[]) =>
  gzipSync(objects.map((object) => `${JSON.stringify(object)}\n`).join(""));

/** The relations that a wait expects of an export: where one is missing, it lasts five minutes longer. */
export const usualRelations = [
  ...["auto_devops", "boards", "ci_cd_settings", "ci_pipelines", "commit_notes", "container_expiration_policy"],
  ...["custom_attributes", "design", "error_tracking_setting", "external_pull_requests", "issues", "labels"],
  ...["lfs_objects", "merge_requests", "milestones", "pipeline_schedules", "project_badges", "project_feature"],
  ...["protected_branches", "protected_tags", "releases", "repository", "self", "service_desk_setting", "snippets"],
  ...["uploads", "user_contributions"],
];

/** The usual relations, each with one object. */
export const wholeExport = (updatedAt: string): Served[] =>
  usualRelations.map((relation) => ({ relation, content: packed({ a: 1 }), updatedAt }));

type Other = (request: IncomingMessage, response: ServerResponse) => boolean;
type Fault = (request: IncomingMessage, response: ServerResponse, served: Served) => boolean;

/**
 * A session that is signed in to a small instance with one finished export. `fault` may answer a download instead,
 * and returns whether it did; `other` any
 * request.
 */
export async function exporting(relations: readonly Served[]) {
  const state = { relations: [...relations], fault: (() => false) as Fault, other: (() => false) as Other };
  const user = await signedIn((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const asked = url.searchParams;
    if (state.other(request, response)) return;
    if (url.pathname.endsWith("/status")) return sendJson(response, 200, statusesOf(state.relations));
    if (request.method === "POST") return sendJson(response, 202, { message: "202 Accepted" });
    const batch = asked.get("batch_number");
    const found = state.relations.find(
      (each) => each.relation === asked.get("relation") && String(each.batch ?? null) === String(batch),
    );
    if (found === undefined) return sendJson(response, 404, { message: "404 Not Found" });
    if (!state.fault(request, response, found)) sendContent(request, response, found.content);
  });
  const downloads = () => user.seen.filter((line) => line.includes("/download"));
  return { ...user, state, downloads };
}

export function sendContent(request: IncomingMessage, response: ServerResponse, content: Buffer, upTo?: number): void {
  const etag = `"${createHash("sha256").update(content).digest("hex")}"`;
  const [, start] = /^bytes=(\d+)-$/.exec(request.headers.range ?? "") ?? [];
  const from = start !== undefined && request.headers["if-range"] === etag ? Number(start) : 0;
  response.writeHead(from > 0 ? 206 : 200, {
    etag,
    "content-type": "application/gzip",
    "content-length": content.length - from,
    ...(from > 0 && { "content-range": `bytes ${from}-${content.length - 1}/${content.length}` }),
  });
  if (upTo === undefined) response.end(content.subarray(from));
  else response.write(content.subarray(from, upTo), () => response.destroy());
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

const time = "2026-11-01T08:00:00.000Z";

function statusesOf(relations: readonly Served[]): object[] {
  const names = [...new Set(relations.map(({ relation }) => relation))];
  return names.map((relation) => {
    const own = relations.filter((each) => each.relation === relation);
    const [first] = own;
    const isBatched = first?.batch !== undefined;
    return {
      relation,
      status: first?.error === undefined ? 1 : -1,
      error: first?.error ?? null,
      updated_at: first?.updatedAt ?? time,
      batched: isBatched,
      batches_count: isBatched ? own.length : 0,
      ...(isBatched && {
        batches: own.map(({ batch, objects, updatedAt = time }) => ({
          ...{ status: 1, batch_number: batch, objects_count: objects ?? 0, error: null, updated_at: updatedAt },
        })),
      }),
    };
  });
}
