import { randomBytes } from "node:crypto";
import { type Call, checkUnmodifiedSince } from "../../server/call.ts";
import { download } from "../../server/download.ts";
import { page, pageParams } from "../../server/pagination.ts";
import { file, integer, required, string } from "../../server/params.ts";
import { badRequest, notFound } from "../../server/problem.ts";
import { created, noContent, type Reply } from "../../server/reply.ts";
import type { Area, Router } from "../../server/router.ts";
import { users } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import { seedUploads, type Upload, uploads } from "./seed.ts";

/** Files uploaded for use in Markdown: 1-project-api: Markdown uploads, project and group. */
export const uploadsArea: Area = {
  name: "uploads",
  seed: seedUploads,
  routes(router) {
    uploading(router);
    for (const owner of ["project", "group"] as const) {
      listing(router, owner);
      byId(router, owner);
      bySecret(router, owner);
    }
  },
};

type Owner = Upload["owner"];

const least = {
  project: { maintainer: { project: "maintainer" }, guest: { project: "guest" } },
  group: { maintainer: { group: "maintainer" }, guest: { group: "guest" } },
} as const;

/** Groups have no upload endpoint. */
function uploading(router: Router): void {
  const params = { file: required(file()) };
  const options = { access: least.project.guest, params, upload: true } as const;
  router.on("POST /projects/:id/uploads", options, async ({ world, project, params, user }) => {
    const blob = await world.store.blobs.adopt(params.file);
    const upload = world.store.table(uploads).insert({
      owner: "project",
      owner_id: project.id,
      secret: randomBytes(16).toString("hex"),
      filename: plainName(params.file.filename),
      blob_id: blob.id,
      size: blob.size,
      created_at: world.timestamp(),
      uploaded_by_id: user.id,
    });
    return created(viewCreated(upload));
  });
}

/** A name that is safe in a URL and in Markdown: letters, digits, and a few punctuation marks. */
function plainName(given: string): string {
  const name = given.replace(/[^\p{L}\p{N}_.+-]/gu, "_");
  return /^\.*$/.test(name) ? "file" : name;
}

function listing(router: Router, owner: Owner): void {
  router.on(`GET /${owner}s/:id/uploads`, { access: least[owner].maintainer, params: pageParams }, (call) => {
    const rows = call.world.store.table(uploads).where((row) => row.owner === owner && row.owner_id === ownerOf(call));
    rows.sort((a, b) => (a.created_at > b.created_at ? -1 : a.created_at < b.created_at ? 1 : b.id - a.id));
    return page(call, rows, (row) => viewListed(call.world, row));
  });
}

function byId(router: Router, owner: Owner): void {
  const path = `/${owner}s/:id/uploads/:upload_id` as const;
  const options = { access: least[owner].maintainer, params: { upload_id: required(integer()) } };
  const find = (call: Owned & { readonly params: { readonly upload_id: number } }) => {
    const row = call.world.store.table(uploads).get(call.params.upload_id);
    return check(row, owner, call);
  };
  router.on(`GET ${path}`, options, (call) => send(call, find(call)));
  router.on(`DELETE ${path}`, options, (call) => remove(call, find(call)));
}

function bySecret(router: Router, owner: Owner): void {
  const path = `/${owner}s/:id/uploads/:secret/:filename` as const;
  const params = { secret: required(string()), filename: required(string()) };
  type Named = Owned & { readonly params: { readonly secret: string; readonly filename: string } };
  const rowOf = ({ world, params }: Named) =>
    world.store.table(uploads).find(({ secret, filename }) => secret === params.secret && filename === params.filename);
  const find = (call: Named) => check(rowOf(call), owner, call);
  router.on(`GET ${path}`, { access: least[owner].guest, params }, (call) => send(call, find(call)));
  router.on(`DELETE ${path}`, { access: least[owner].maintainer, params }, (call) => {
    if (call.world.asDeployed && rowOf(call) === undefined) throw badRequest(inaccessible);
    return remove(call, find(call));
  });
}

/** The message of real instances for a missing upload. */
const inaccessible =
  "The resource that you are attempting to access does not exist or you don't have permission to perform this action.";

type Owned = Pick<Call, "world"> & {
  readonly project?: { id: number } | undefined;
  readonly group?: { id: number } | undefined;
};

function ownerOf({ project, group }: Owned): number | undefined {
  return project?.id ?? group?.id;
}

function check(row: Upload | undefined, owner: Owner, call: Owned): Upload {
  if (row === undefined || row.owner !== owner || row.owner_id !== ownerOf(call)) throw notFound("Upload");
  return row;
}

function send(call: Pick<Call, "world" | "header">, upload: Upload): Reply {
  const { blobs } = call.world.store;
  return download(call.header, {
    size: upload.size,
    open: (range) => blobs.open(upload.blob_id, range),
    contentType: "application/octet-stream",
    etag: blobs.get(upload.blob_id)?.sha256 ?? "",
    lastModified: new Date(upload.created_at),
    filename: upload.filename,
  });
}

function remove(call: Pick<Call, "world" | "header">, upload: Upload): Reply {
  checkUnmodifiedSince(call, upload.created_at);
  call.world.store.table(uploads).delete(upload.id);
  call.world.store.blobs.delete(upload.blob_id);
  return noContent();
}

const image = /\.(?:png|jpe?g|gif|webp|svg)$/i;

function viewCreated({ id, owner_id, secret, filename }: Upload): Record<string, unknown> {
  const url = `/uploads/${secret}/${filename}`;
  const isImage = image.test(filename);
  const alt = isImage ? filename.slice(0, filename.lastIndexOf(".")) : filename;
  return {
    id,
    alt,
    url,
    full_path: `/-/project/${owner_id}${url}`,
    markdown: `${isImage ? "!" : ""}[${alt}](${url})`,
  };
}

function viewListed(world: World, upload: Upload): Record<string, unknown> {
  const { id, size, filename, created_at, uploaded_by_id } = upload;
  const uploader = uploaded_by_id === null ? undefined : world.store.table(users).get(uploaded_by_id);
  const uploaded_by =
    uploader === undefined ? null : { id: uploader.id, name: uploader.name, username: uploader.username };
  return { id, size, filename, created_at, uploaded_by };
}
