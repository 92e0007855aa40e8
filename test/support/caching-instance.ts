import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { chanceOf, oneOf } from "./chance.ts";
import { atEnd } from "./ending.ts";

// An instance whose processes cache the settings for a minute, each for itself, so that a read may show what was there
// before any change of that minute; or one that neither caches nor dates them. What is stored is known: `settings`.

export type Values = Record<string, unknown>;

/** What happens to a change: `lost…` is answered with 504, `cut` with nothing, `foreign` by something in front. */
export const fates = ["made", "lost, made", "lost, not made", "cut, made", "refused", "foreign"] as const;
export type Fate = (typeof fates)[number] | "made late";

const companions: Readonly<Record<string, readonly string[]>> = {
  codesearch_enabled: ["codesearch_url"],
  spamsvc_enabled: ["spamsvc_api_key"],
  unique_ips_limit_enabled: ["unique_ips_limit_per_user", "unique_ips_limit_time_window"],
  mirror_enabled: ["mirror_url"],
};

export interface CachingInstance {
  readonly url: string;
  /** What is stored. */
  settings(): Values;
  /** What was sent to change it, in order. */
  readonly sent: readonly Values[];
  /** What happens to the next changes; the last one counts for all that follow. */
  meet(...next: Fate[]): void;
  /** The next reads show what was there after that number of changes; the last one counts for all that follow. */
  show(...after: number[]): void;
  /** Another user changes settings. */
  set(values: Values): void;
}

/** @param cached whether reads are cached, and show the date of the last change */
export async function cachingInstance(seed: number, stored: Values, cached = true): Promise<CachingInstance> {
  const chance = chanceOf(seed);
  const created = new Date().toISOString();
  let settings: Values = { id: 1, ...(cached && { created_at: created, updated_at: created }), ...stored };
  const copies = [settings];
  const all: Values[] = [];
  let next: Fate[] = [];
  let reads: number[] = [];
  const caches = [0, 1, 2].map(() => ({ copy: settings, until: 0 }));

  const change = (sent: Values) => {
    const kept = Object.entries(sent).flatMap(([name, value]) =>
      name in settings ? [[name, normal(settings[name], value)]] : [],
    );
    const version = new Date(
      Math.max(Date.now(), Date.parse(String(settings.updated_at ?? created)) + 1),
    ).toISOString();
    settings = { ...settings, ...Object.fromEntries(kept), ...(cached && { updated_at: version }) };
    copies.push(settings);
  };

  const put = async (response: ServerResponse, sent: Values) => {
    all.push(sent);
    const fate = next.length > 1 ? next.shift() : next[0];
    const missing = Object.entries(companions).flatMap(([name, others]) =>
      sent[name] === true ? others.filter((other) => !(other in sent)) : [],
    );
    if (fate === "refused" || missing.length > 0) return answer(response, 400, { error: `${missing} is missing` });
    if (fate === "foreign") return answer(response, 200, { received: "ok" });
    if (fate === "made late") await new Promise((later) => setTimeout(later, 200));
    if (fate !== "lost, not made") {
      change(sent);
      const own = oneOf(caches, chance);
      if (chance() < 0.5) Object.assign(own, { copy: settings, until: Date.now() + 60_000 });
    }
    if (fate === "cut, made") return void response.destroy();
    if (fate === "lost, made" || fate === "lost, not made") return answer(response, 504, {});
    return answer(response, 200, shown(settings));
  };

  const server = createServer(async (request, response) => {
    if (request.url?.endsWith("/user")) return answer(response, 200, { id: 1, username: "root", is_admin: true });
    if (!request.url?.includes("/application/settings")) return answer(response, 404, { message: "404 Not found" });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.method === "PUT") {
      const query = new URL(request.url, "http://x").searchParams;
      const body = Buffer.concat(chunks).toString();
      const typed = [...query].map(([name, value]) => [name.replace("[]", ""), value]);
      return put(response, { ...Object.fromEntries(typed), ...(body !== "" && JSON.parse(body)) });
    }
    const read = reads.length > 1 ? reads.shift() : reads[0];
    if (read !== undefined) return answer(response, 200, shown(copies[read] ?? settings));
    const cache = oneOf(caches, chance);
    if (!cached || cache.until <= Date.now()) Object.assign(cache, { copy: settings, until: Date.now() + 60_000 });
    return answer(response, 200, shown(cache.copy));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    settings: () => settings,
    sent: all,
    meet: (...fate) => {
      next = fate;
    },
    show: (...after) => {
      reads = after;
    },
    set: change,
  };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** A number that is shown as a text. */
function shown(settings: Values): Values {
  return { ...settings, unique_ips_limit_time_window: String(settings.unique_ips_limit_time_window) };
}

/** What is kept of a sent value: texts are trimmed, lists sorted, numbers numbers, and hashes merged. */
export function normal(before: unknown, value: unknown): unknown {
  if (Array.isArray(value)) return [...value].sort();
  if (typeof value === "object" && value !== null) return { ...(before as object), ...value };
  if (typeof before === "number") return Number(value);
  if (typeof before === "boolean") return value === true || value === "true";
  return typeof value === "string" ? value.trim() : value;
}
