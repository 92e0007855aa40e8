import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { download } from "../../server/download.ts";
import { pageOrWhole, pageParams } from "../../server/pagination.ts";
import { boolean, fallback, integer, required, string } from "../../server/params.ts";
import { badRequest, notFound, Problem } from "../../server/problem.ts";
import { accepted, ok, type Reply } from "../../server/reply.ts";
import type { Area, Router } from "../../server/router.ts";
import { projects } from "../../store/model.ts";
import { daysAgo } from "../../store/time.ts";
import type { World } from "../../store/world.ts";
import { archives } from "./contents.ts";
import { exports, FINISHED, type Part, type RelationExport, statusOf, viewExport } from "./model.ts";
import { addObsolete, begin, request, schedule } from "./schedule.ts";

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
    const website = world.store.table(projects).get(1);
    if (website !== undefined && world.asDeployed) addObsolete(world, website);
  },
  routes(router) {
    scheduling(router);
    downloading(router);
  },
};

function scheduling(router: Router): void {
  const params = { batched: fallback(boolean(), false) };
  router.on("POST /projects/:id/export_relations", { ...served, params }, ({ world, project, params }) => {
    request(world, project, params.batched);
    return accepted();
  });
  const filter = { ...pageParams, relation: string() };
  router.on("GET /projects/:id/export_relations/status", { ...served, params: filter }, (call) => {
    const { world, project, params } = call;
    begin(world, project);
    const rows = world.store.table(exports).where((row) => row.project_id === project.id);
    if (params.relation === undefined) return pageOrWhole(call, rows, (row) => viewExport(world, row));
    const [asked] = rows.filter((row) => row.relation === params.relation);
    if (asked === undefined) throw notFound("Relation export");
    return world.asDeployed
      ? ok(viewExport(world, asked))
      : pageOrWhole(call, [asked], (row) => viewExport(world, row));
  });
}

function downloading(router: Router): void {
  const params = {
    relation: required(string()),
    batched: fallback(boolean(), false),
    batch_number: integer({ min: 1 }),
  };
  router.on("GET /projects/:id/export_relations/download", { ...served, params }, (call) => {
    const { world, project, params } = call;
    begin(world, project);
    const { relation, batched, batch_number: number } = params;
    const row = world.store.table(exports).find((each) => each.project_id === project.id && each.relation === relation);
    if (row === undefined || statusOf(world, row) !== FINISHED) throw notFound("Relation export");
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
    filename: `${name}.${Object.hasOwn(archives, row.relation) ? "tar" : "ndjson"}.gz`,
  });
}
