import { createHmac, randomBytes } from "node:crypto";
import type { Call } from "../../server/call.ts";
import { type Download, download } from "../../server/download.ts";
import { required, string } from "../../server/params.ts";
import { forbidden, notFound } from "../../server/problem.ts";
import type { Reply } from "../../server/reply.ts";
import type { Router } from "../../server/router.ts";
import type { World } from "../../store/world.ts";

interface Sent {
  /** An id of the store's blobs. */
  readonly blob: string;
  readonly contentType: string;
  readonly filename: string;
}

const key = randomBytes(32);
/** How long a signed address is valid, in milliseconds. */
const VALID_MS = 600_000;

/**
 * Sends a content; on the hosted offering by a redirect to another origin with a signed address that needs no token
 * (1-project-api: Job artifacts). The same server answers there, under its other host name.
 */
export function throughCdn(call: Pick<Call, "world" | "header" | "origin">, sent: Sent): Reply {
  const { world, origin } = call;
  if (world.hosting !== "hosted") return download(call.header, contentOf(world, sent));
  const elsewhere = new URL(`/cdn/${sent.blob}`, origin);
  elsewhere.hostname = elsewhere.hostname === "localhost" ? "127.0.0.1" : "localhost";
  const expires = String(world.now().getTime() + VALID_MS);
  const query = { type: sent.contentType, filename: sent.filename, expires };
  elsewhere.search = new URLSearchParams({ ...query, signature: sign(sent.blob, query) }).toString();
  return { status: 302, headers: { location: elsewhere.href } };
}

function sign(blob: string, query: { type: string; filename: string; expires: string }): string {
  return createHmac("sha256", key).update([blob, query.type, query.filename, query.expires].join("\n")).digest("hex");
}

function contentOf(world: World, { blob: id, contentType, filename }: Sent): Download {
  const blob = world.store.blobs.get(id);
  if (blob === undefined) throw notFound();
  const open: Download["open"] = (range) => world.store.blobs.open(id, range);
  return { size: blob.size, open, contentType, etag: blob.sha256, filename };
}

/** The other origin: it ignores tokens and checks only the signature. */
export function cdnRoute(router: Router): void {
  const params = {
    blob: required(string()),
    type: required(string()),
    filename: required(string()),
    expires: required(string()),
    signature: required(string()),
  };
  router.on("GET /cdn/:blob", { access: { open: true }, root: true, params }, (call) => {
    const { blob, type, filename, expires, signature } = call.params;
    if (call.header("private-token") ?? call.header("job-token")) throw forbidden("Tokens are not accepted here.");
    const good = sign(blob, { type, filename, expires }) === signature && Number(expires) > call.world.now().getTime();
    if (!good) throw forbidden("The address is not signed, or has expired.");
    return download(call.header, contentOf(call.world, { blob, contentType: type, filename }));
  });
}
