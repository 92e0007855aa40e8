import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { download } from "../../server/download.ts";
import { pageOrWhole, pageParams } from "../../server/pagination.ts";
import { boolean, fallback, integer, required, string } from "../../server/params.ts";
import { badRequest, notFound, Problem } from "../../server/problem.ts";
import { accepted, ok, type Reply } from "../../server/reply.ts";
import type { Area, Router } from "../../server/router.ts";
import { type Project, projects, type Timestamp } from "../../store/model.ts";
import { collection, type Row } from "../../store/store.ts";
import { packTar } from "../../store/tar.ts";
import { daysAgo } from "../../store/time.ts";
import type { World } from "../../store/world.ts";
import { relations } from "./contents.ts";

/** The last export of one relation. Its progress is derived from its times, so that a restart keeps it. */
interface RelationExport extends Row {
  readonly project_id: number;
  readonly relation: string;
  readonly batched: boolean;
  readonly started_at: Timestamp;
  readonly ends_at: Timestamp;
  /** The error with which it will fail. */
  readonly error: string | null;
  /** The single file, or the batches. */
  readonly parts: readonly Part[];
}

interface Part {
  readonly blob_id: string;
  readonly objects_count: number;
  readonly ends_at: Timestamp;
}

const exports = collection<RelationExport>("relation_exports");

/** Milliseconds per relation: about a second for all. */
const PACE = 120;
/** Real instances export this too, as a compressed tar and never in batches. */
const REPOSITORY = "repository";
/** Small, so that the demo data fills several batches. */
const BATCH = 10;
/** To test failures: one relation of this project cannot be exported. */
const BROKEN = { project: 4, relation: "merge_requests", error: "Timed out while reading merge_requests" };

// The documents name no role; an export contains everything in a project.
const served = {
  access: { project: "maintainer" },
  deployed: { needsSetting: "bulk_import_enabled" },
} as const;

/** Partial exports of a project: 1-project-api: Project relations export. */
export const relationsArea: Area = {
  name: "relations",
  seed(world) {
    const gateway = world.store.table(projects).get(3);
    if (gateway !== undefined) schedule(world, gateway, false, Date.parse(daysAgo(world.now(), 2.5)));
  },
  routes(router) {
    scheduling(router);
    downloading(router);
  },
};

function scheduling(router: Router): void {
  const params = { batched: fallback(boolean(), false) };
  router.on("POST /projects/:id/export_relations", { ...served, params }, ({ world, project, params }) => {
    schedule(world, project, params.batched, world.now().getTime());
    return accepted();
  });
  const filter = { ...pageParams, relation: string() };
  router.on("GET /projects/:id/export_relations/status", { ...served, params: filter }, (call) => {
    const { world, project, params } = call;
    const rows = world.store.table(exports).where((row) => row.project_id === project.id);
    if (params.relation === undefined) return pageOrWhole(call, rows, (row) => view(world, row));
    const [asked] = rows.filter((row) => row.relation === params.relation);
    if (asked === undefined) throw notFound("Relation export");
    return world.asDeployed ? ok(view(world, asked)) : pageOrWhole(call, [asked], (row) => view(world, row));
  });
}

/** Starts an export, which replaces the previous one. `started` is in milliseconds. */
function schedule(world: World, project: Project, batched: boolean, started: number): void {
  const table = world.store.table(exports);
  for (const old of table.where((row) => row.project_id === project.id)) {
    for (const part of old.parts) world.store.blobs.delete(part.blob_id);
    table.delete(old.id);
  }
  for (const [index, [relation, read]] of Object.entries(relations).entries()) {
    const objects = read(world, project);
    table.insert(exportOf(world, project, { relation, objects, batched, started, from: started + index * PACE }));
  }
  if (world.asDeployed) table.insert(repositoryOf(world, project, started));
}

function repositoryOf(world: World, project: Project, started: number): Omit<RelationExport, "id"> {
  const content = packTar([{ path: "project.bundle", content: "# v2 git bundle\n" }], new Date(started));
  const ends_at = new Date(Math.round(started) + PACE).toISOString();
  return {
    project_id: project.id,
    relation: REPOSITORY,
    batched: false,
    started_at: new Date(Math.round(started)).toISOString(),
    ends_at,
    error: null,
    parts: [{ blob_id: world.store.blobs.put(content).id, objects_count: 1, ends_at }],
  };
}

interface Planned {
  readonly relation: string;
  readonly objects: readonly object[];
  readonly batched: boolean;
  /** Milliseconds: when the export was scheduled, and when this relation starts. */
  readonly started: number;
  readonly from: number;
}

function exportOf(world: World, project: Project, planned: Planned): Omit<RelationExport, "id"> {
  const { relation, objects, batched, started, from } = planned;
  const size = batched ? BATCH : Math.max(1, objects.length);
  const count = batched ? Math.ceil(objects.length / size) : 1;
  const at = (ms: number) => new Date(Math.round(ms)).toISOString();
  const isBroken = project.id === BROKEN.project && relation === BROKEN.relation;
  return {
    project_id: project.id,
    relation,
    batched,
    started_at: at(started),
    ends_at: at(from + PACE),
    error: isBroken ? BROKEN.error : null,
    parts: Array.from({ length: count }, (_, index) => {
      const some = objects.slice(index * size, (index + 1) * size);
      const lines = some.map((object) => `${JSON.stringify(object)}\n`).join("");
      const blob = world.store.blobs.put(gzipSync(lines));
      return { blob_id: blob.id, objects_count: some.length, ends_at: at(from + (PACE * (index + 1)) / count) };
    }),
  };
}

const STARTED = 0;
const FINISHED = 1;
const FAILED = -1;

function statusAt(world: World, endsAt: Timestamp, error: string | null): number {
  if (endsAt > world.timestamp()) return STARTED;
  return error === null ? FINISHED : FAILED;
}

function view(world: World, row: RelationExport): Record<string, unknown> {
  const status = statusAt(world, row.ends_at, row.error);
  const changed = (end: Timestamp) => (end > world.timestamp() ? row.started_at : end);
  return {
    relation: row.relation,
    status,
    error: status === FAILED ? row.error : null,
    updated_at: changed(row.ends_at),
    batched: row.batched,
    batches_count: row.batched ? row.parts.length : 0,
    ...(row.batched && {
      batches: row.parts.map((part, index) => {
        // The last batch fails.
        const error = index === row.parts.length - 1 ? row.error : null;
        const state = statusAt(world, part.ends_at, error);
        return {
          status: state,
          batch_number: index + 1,
          objects_count: part.objects_count,
          error: state === FAILED ? error : null,
          updated_at: changed(part.ends_at),
        };
      }),
    }),
  };
}

function downloading(router: Router): void {
  const params = {
    relation: required(string()),
    batched: fallback(boolean(), false),
    batch_number: integer({ min: 1 }),
  };
  router.on("GET /projects/:id/export_relations/download", { ...served, params }, (call) => {
    const { world, project, params } = call;
    const { relation, batched, batch_number: number } = params;
    const row = world.store.table(exports).find((each) => each.project_id === project.id && each.relation === relation);
    if (row === undefined || statusAt(world, row.ends_at, row.error) !== FINISHED) throw notFound("Relation export");
    if (world.asDeployed && batched !== (number !== undefined)) {
      throw new Problem(400, { error: "batched, batch_number provide all or none of parameters" });
    }
    if (row.batched !== batched) throw badRequest(`the export is ${row.batched ? "" : "not "}batched`);
    const parts = number === undefined ? row.parts : row.parts.slice(batched ? number - 1 : 0).slice(0, 1);
    if (parts.length === 0) throw notFound("Batch");
    const name = batched && number !== undefined ? `${relation}_${number}` : relation;
    return send(world, call.header, { parts, row, name });
  });
}

interface Sent {
  readonly parts: readonly Part[];
  readonly row: RelationExport;
  readonly name: string;
}

/** Sends a file, or all batches as one: concatenated gzip files are a gzip file. */
async function send(
  world: World,
  header: (name: string) => string | undefined,
  { parts, row, name }: Sent,
): Promise<Reply> {
  const content = Buffer.concat(await Promise.all(parts.map((part) => world.store.blobs.read(part.blob_id))));
  return download(header, {
    size: content.length,
    open: (range) => Readable.from([range ? content.subarray(range.start, range.end + 1) : content]),
    contentType: "application/gzip",
    etag: createHash("sha256").update(content).digest("hex"),
    lastModified: new Date(row.ends_at),
    filename: `${name}.${name === REPOSITORY ? "tar" : "ndjson"}.gz`,
  });
}
