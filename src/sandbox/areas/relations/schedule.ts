import { gzipSync } from "node:zlib";
import { ownValue } from "../../own-value.ts";
import type { Project } from "../../store/model.ts";
import { packTar, type TarFile } from "../../store/tar.ts";
import { daysAgo } from "../../store/time.ts";
import type { World } from "../../store/world.ts";
import { archives, CONTRIBUTIONS, relations } from "./contents.ts";
import { changedAt, exports, FINISHED, type Part, queued, type RelationExport, statusOf } from "./model.ts";

/** Milliseconds per relation: about a second for all. */
const PACE = 40;
/** Small, so that the demo data fills several batches. */
const BATCH = 10;
/** To test failures: one relation of this project cannot be exported. */
const BROKEN = { project: 4, relation: "merge_requests", error: "Timed out while reading merge_requests" };
/** Minutes for which real instances answer a new request with a finished export, unless that is in batches. */
const REUSED_MINUTES = 3;

type NewExport = Omit<RelationExport, "id">;

/** Starts an export, which replaces the previous one. `started` is in milliseconds. */
export function schedule(world: World, project: Project, batched: boolean, started: number): void {
  const table = world.store.table(exports);
  const kept = new Set<string>();
  for (const old of table.where((row) => row.project_id === project.id)) {
    if (world.asDeployed && (!isExported(old.relation) || isReused(world, old, batched))) {
      kept.add(old.relation);
      continue;
    }
    for (const part of old.parts) world.store.blobs.delete(part.blob_id);
    table.delete(old.id);
  }
  const isLeft = (name: string) => !kept.has(name) && !(world.asDeployed && name === CONTRIBUTIONS);
  for (const [index, relation] of Object.keys(relations).filter(isLeft).entries()) {
    const objects = ownValue(relations, relation)?.(world, project) ?? [];
    table.insert(exportOf(world, project, { relation, objects, batched, started, from: started + index * PACE }));
  }
  for (const [name, files] of Object.entries(archives)) {
    if (!kept.has(name)) table.insert(archiveOf(world, project, { name, files, started }));
  }
  if (world.asDeployed && !kept.has(CONTRIBUTIONS)) table.insert(contributionsOf(world, project, started));
}

/** Milliseconds until a real instance begins an export. */
const QUEUE_MS = 1000;

/** Starts an export; on a real instance some time later. */
export function request(world: World, project: Project, batched: boolean): void {
  const now = world.now().getTime();
  begin(world, project);
  if (world.asDeployed) {
    world.store.table(queued).insert({ project_id: project.id, batched, begins_at: at(now + QUEUE_MS) });
  } else {
    schedule(world, project, batched, now);
  }
}

/** Starts the exports of a project whose time has come. */
export function begin(world: World, project: Project): void {
  const table = world.store.table(queued);
  const due = table.where((row) => row.project_id === project.id && row.begins_at <= world.timestamp());
  for (const { id, batched, begins_at } of due) {
    table.delete(id);
    schedule(world, project, batched, Date.parse(begins_at));
  }
}

/** The last export of a relation that releases since then no longer have; nothing removes it. */
export function addObsolete(world: World, project: Project): void {
  const relation = "metrics_setting";
  const started = Date.parse(daysAgo(world.now(), 700));
  const planned = { relation, objects: [{ dashboard_timezone: "local" }], batched: false, started, from: started };
  world.store.table(exports).insert(exportOf(world, project, planned));
}

function isExported(relation: string): boolean {
  return Object.hasOwn(relations, relation) || Object.hasOwn(archives, relation);
}

function isReused(world: World, row: RelationExport, batched: boolean): boolean {
  const isInBatches = !Object.hasOwn(archives, row.relation) && row.relation !== CONTRIBUTIONS;
  if (row.batched || (batched && isInBatches) || statusOf(world, row) !== FINISHED) return false;
  return Date.parse(changedAt(world, row)) > world.now().getTime() - REUSED_MINUTES * world.minuteMs;
}

function at(ms: number): string {
  return new Date(Math.round(ms)).toISOString();
}

interface Archive {
  readonly name: string;
  readonly files: readonly TarFile[];
  readonly started: number;
}

function archiveOf(world: World, project: Project, { name, files, started }: Archive): NewExport {
  const content = packTar(files, new Date(started));
  const ends_at = at(started + PACE);
  return {
    project_id: project.id,
    relation: name,
    batched: false,
    started_at: at(started),
    ends_at,
    error: null,
    parts: [partOf(world, content, files.length, ends_at)],
  };
}

function contributionsOf(world: World, project: Project, started: number): NewExport {
  const rows = world.store.table(exports).where((row) => row.project_id === project.id);
  const pending_until = rows.reduce((last, { ends_at }) => (ends_at > last ? ends_at : last), at(started));
  const ends_at = at(Date.parse(pending_until) + PACE);
  const objects = relations[CONTRIBUTIONS]?.(world, project) ?? [];
  return {
    project_id: project.id,
    relation: CONTRIBUTIONS,
    batched: false,
    pending_until,
    started_at: at(started),
    ends_at,
    error: null,
    parts: [partOf(world, gzipSync(linesOf(objects)), objects.length, ends_at)],
  };
}

function partOf(world: World, content: Buffer, objects_count: number, ends_at: string): Part {
  return { blob_id: world.store.blobs.put(content).id, objects_count, ends_at };
}

function linesOf(objects: readonly object[]): string {
  return objects.map((object) => `${JSON.stringify(object)}\n`).join("");
}

interface Planned {
  readonly relation: string;
  readonly objects: readonly object[];
  readonly batched: boolean;
  /** Milliseconds: when the export was scheduled, and when this relation starts. */
  readonly started: number;
  readonly from: number;
}

function exportOf(world: World, project: Project, planned: Planned): NewExport {
  const { relation, objects, batched, started, from } = planned;
  const size = batched ? BATCH : Math.max(1, objects.length);
  const count = batched ? Math.ceil(objects.length / size) : 1;
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
      return partOf(world, gzipSync(linesOf(some)), some.length, at(from + (PACE * (index + 1)) / count));
    }),
  };
}
