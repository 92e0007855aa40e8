import { createReadStream } from "node:fs";
import { admitToGroup, findGroup } from "../../server/access.ts";
import { download } from "../../server/download.ts";
import { RateLimit } from "../../server/limit.ts";
import { file, integer, required, string } from "../../server/params.ts";
import { badRequest, forbidden, invalid, notFound, tooLarge } from "../../server/problem.ts";
import { accepted } from "../../server/reply.ts";
import type { Area, Router } from "../../server/router.ts";
import { type Group, groups, projects, type User, users } from "../../store/model.ts";
import { DAY_MS } from "../../store/time.ts";
import type { World } from "../../store/world.ts";
import { settingOf } from "../settings/routes.ts";
import { isGroupPath, packGroup, readArchive, unpackGroup } from "./archive.ts";
import { type GroupExport, groupExports } from "./parts.ts";
import { addMilestone, seedGroupParts } from "./seed.ts";

const access = { group: "owner" } as const;

/** Duration of an export. */
const EXPORT_MS = 1000;
/** Requests per minute that real instances allow one user for the archive of one group, and for exports. */
const DEPLOYED_LOOKS = 1;
const DEPLOYED_EXPORTS = 6;
const MEBIBYTE = 1024 * 1024;

/** Exports and imports of groups: 2-collaboration-identity-api: Group import and export. */
export const groupsArea: Area = {
  name: "groups",
  seed(world) {
    seedGroupParts(world);
    const group = world.store.table(groups).get(1);
    const owner = world.store.table(users).find(({ username }) => username === "olivia.ortega");
    if (group !== undefined && owner !== undefined) {
      addExport(world, { group, user: owner }, new Date(world.now().getTime() - 3 * DAY_MS));
    }
    // Not in that archive, so that confusing it with a new one is noticeable.
    addMilestone(world, 1, 9);
  },
  routes(router) {
    exports(router);
    imports(router);
  },
};

interface Exported {
  readonly group: Group;
  readonly user: User;
}

/**
 * Archives the group as it is now. It can be downloaded after `readyAt`; until then, an earlier archive is served.
 */
function addExport(world: World, { group, user }: Exported, readyAt: Date): void {
  const at = new Date(readyAt.getTime() - EXPORT_MS);
  const stamp = at.toISOString().slice(0, 19).replace("T", "_").replaceAll(":", "-");
  world.store.table(groupExports).insert({
    group_id: group.id,
    user_id: user.id,
    ready_at: readyAt.toISOString(),
    filename: `${stamp}_${group.full_path.replaceAll("/", "_")}_export.tar.gz`,
    blob: world.store.blobs.put(packGroup(world, group, at)),
  });
}

function exports(router: Router): void {
  const looks = new RateLimit(DEPLOYED_LOOKS);
  const begun = new RateLimit(DEPLOYED_EXPORTS);
  router.on("POST /groups/:id/export", { access }, ({ world, group, user }) => {
    if (world.asDeployed) begun.take(world, String(user.id));
    const ready = readyExport(world, { group, user });
    for (const old of exportsOf(world, { group, user })) {
      if (ready === undefined || old.id >= ready.id) continue;
      world.store.table(groupExports).delete(old.id);
      world.store.blobs.delete(old.blob.id);
    }
    addExport(world, { group, user }, new Date(world.now().getTime() + EXPORT_MS));
    return accepted();
  });
  router.on("GET /groups/:id/export/download", { access }, ({ world, group, user, header }) => {
    if (world.asDeployed) looks.take(world, `${user.id} ${group.id}`);
    const found = readyExport(world, { group, user });
    if (found === undefined) throw notFound();
    return download(header, {
      size: found.blob.size,
      open: (range) => world.store.blobs.open(found.blob.id, range),
      contentType: "application/gzip",
      etag: found.blob.sha256,
      lastModified: new Date(found.ready_at),
      filename: found.filename,
    });
  });
}

/** Real instances keep the exports of each user apart. */
function exportsOf(world: World, { group, user }: Exported): GroupExport[] {
  return world.store
    .table(groupExports)
    .where(({ group_id, user_id }) => group_id === group.id && (!world.asDeployed || user_id === user.id));
}

function readyExport(world: World, of: Exported): GroupExport | undefined {
  const now = world.timestamp();
  return exportsOf(world, of).findLast(({ ready_at }) => ready_at <= now);
}

function imports(router: Router): void {
  const params = {
    name: required(string()),
    path: required(string()),
    file: required(file()),
    parent_id: integer({ min: 1 }),
  };
  router.on("POST /groups/import", { params, upload: true }, async ({ world, user, token, params }) => {
    if (user.external) throw forbidden();
    const parent = params.parent_id === undefined ? undefined : findGroup(world, String(params.parent_id));
    if (params.parent_id !== undefined) {
      admitToGroup(world, parent, { caller: { user, token }, least: "owner", public: false });
    }
    checkName(world, params.name, params.path, parent);
    const most = Number(settingOf(world, "max_import_size")) * MEBIBYTE;
    if (most > 0 && params.file.size > most) throw tooLarge();
    const archive = await readArchive(createReadStream(params.file.path));
    if (archive === undefined) throw badRequest("the file is not the archive of a group export");
    unpackGroup(world, archive, { name: params.name, path: params.path, parent, importer: user });
    return accepted();
  });
}

function checkName(world: World, name: string, path: string, parent: Group | undefined): void {
  const errors: Record<string, string[]> = {};
  if (name.trim() === "") errors.name = ["can't be blank"];
  if (!isGroupPath(path)) {
    errors.path = [
      "can only include letters, digits, '_', '-', and '.', and can't start with '-' or '.' or end with '.', '.git', or '.atom'",
    ];
  } else if (isTaken(world, parent === undefined ? path : `${parent.full_path}/${path}`)) {
    errors.path = ["has already been taken"];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

/** Groups, projects, and users share one namespace. */
function isTaken(world: World, fullPath: string): boolean {
  const { store } = world;
  const wanted = fullPath.toLowerCase();
  return (
    store.table(groups).find((group) => group.full_path.toLowerCase() === wanted) !== undefined ||
    store.table(projects).find((project) => project.path_with_namespace.toLowerCase() === wanted) !== undefined ||
    store.table(users).find((user) => user.username.toLowerCase() === wanted) !== undefined
  );
}
