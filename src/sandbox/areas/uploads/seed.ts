import type { Timestamp } from "../../store/model.ts";
import { createRandom } from "../../store/random.ts";
import { collection, type Row } from "../../store/store.ts";
import { daysAgo } from "../../store/time.ts";
import type { World } from "../../store/world.ts";
import { people } from "../places/people.ts";

/** A file uploaded for use in Markdown. */
export interface Upload extends Row {
  readonly owner: "project" | "group";
  readonly owner_id: number;
  /** 32 hexadecimal digits. */
  readonly secret: string;
  readonly filename: string;
  readonly blob_id: string;
  /** Bytes. */
  readonly size: number;
  readonly created_at: Timestamp;
  /** Null if the uploader is unknown, as for old uploads. */
  readonly uploaded_by_id: number | null;
}

export const uploads = collection<Upload>("uploads");

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const log = Array.from(
  { length: 400 },
  (_, line) => `2026-01-01T00:${String(line % 60).padStart(2, "0")}:00Z order ${1000 + line} took ${line % 97} ms\n`,
).join("");

const plan: readonly (readonly [
  owner: Upload["owner"],
  ownerId: number,
  filename: string,
  content: Buffer | string,
  days: number,
  by: number | null,
])[] = [
  ["project", 7, "logo.png", Buffer.from(pixel, "base64"), 700, null],
  ["project", 7, "checkout-error.log", log, 210, people.developer],
  ["project", 7, "Größentabelle.csv", "size;chest\nS;88\nM;96\nL;104\n", 95, people.reporter],
  ["project", 7, "empty-cart.png", Buffer.from(pixel, "base64"), 40, people.guest],
  [
    "project",
    7,
    "release-notes.md",
    "# 2.4\n\n- Faster search\n- Fewer surprises at the checkout\n",
    3,
    people.maintainer,
  ],
  ["project", 3, "latency.csv", "route,p50,p99\n/orders,12,140\n/cart,8,61\n", 60, people.maintainer],
  ["group", 1, "letterhead.png", Buffer.from(pixel, "base64"), 900, null],
  ["group", 1, "roadmap.md", "# Roadmap\n\n1. Search\n2. Payments\n", 150, people.owner],
  ["group", 1, "on-call.csv", "week,who\n1,mateo.marin\n2,dana.dixon\n", 12, people.maintainer],
];

/** Uploads of the storefront, the gateway, and their group. */
export function seedUploads(world: World): void {
  const random = createRandom(5_772_156);
  for (const [owner, owner_id, filename, content, days, uploaded_by_id] of plan) {
    const blob = world.store.blobs.put(content);
    world.store.table(uploads).insert({
      owner,
      owner_id,
      secret: random.hex(32),
      filename,
      blob_id: blob.id,
      size: blob.size,
      created_at: daysAgo(world.now(), days),
      uploaded_by_id,
    });
  }
}
