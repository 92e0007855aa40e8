import { createHash } from "node:crypto";
import type { ObservedAnswer } from "../../api/api.ts";
import { getCurrentUser } from "../../api/endpoints/users.ts";
import { UsageError } from "../../base/errors.ts";
import { treatSecrets } from "../../base/secrets.ts";
import type { Context } from "../../context.ts";
import type { FileWriter } from "../../host.ts";
import { headerLine, rowLine } from "../../terminal/render/delimited-text.ts";
import { refuseReplaced } from "../../transfer/replaced-folder.ts";
import { unlessRefused } from "../../verbs/optional-call.ts";
import type { Unit } from "./areas.ts";
import type { Row } from "./row.ts";

/** The columns of an audit, on the screen and in reports. */
export const columns = ["where", "rule", "severity", "verdict", "finding", "since", "try"] as const;

/** A request that was answered, as evidence. */
interface Answered extends ObservedAnswer {
  readonly at: string;
}

/** What one unit of an audit was based on. */
interface Source {
  readonly unit: Unit;
  readonly answers: readonly Answered[];
  /** What the rules read. */
  readonly read: readonly object[];
  /** Why it could not be read. */
  readonly failure: string | null;
}

export interface Evidence {
  add(source: Source): Promise<void>;
  /** Writes report, from rows without secrets, and manifest: the folder is complete. */
  end(report: { rows: readonly Row[]; markdown: string; about: object }): Promise<void>;
  /** Removes what was written, and the folder if nothing else is in it; nothing if it is complete. */
  discard(): Promise<void>;
}

const sources = "sources.ndjson";
const sumsFile = "SHA256SUMS";
/** All that is written into the folder. */
const names: readonly string[] = [sources, "report.md", "report.csv", "manifest.json", sumsFile];

/** Evidence is never replaced. */
export async function refuseExisting({ files }: Context, folder: string): Promise<void> {
  if ((await files.facts(folder)) === undefined) return;
  throw existing(folder);
}

function existing(folder: string): UsageError {
  return new UsageError(`--out: ${folder} exists already`, { hint: "name a folder that does not exist" });
}

/** Creates the folder of evidence. */
export async function openEvidence(context: Context, folder: string): Promise<Evidence> {
  const started = context.now();
  if (!(await context.files.createFolder(folder))) throw existing(folder);
  const files = await context.files.hold(folder);
  // Something else had its name by then.
  if ((await files.list(folder)).length > 0) throw existing(folder);
  const writer: FileWriter = await files.append(`${folder}/${sources}`);
  const sums: Record<string, { size: number; sha256: string }> = {};
  const sum = createHash("sha256");
  let size = 0;
  // Units end at the same time: their lines are written one after another.
  let written: Promise<void> = Promise.resolve();
  let isOver = false;
  // Masked before it is JSON: a mask in place of an escape would end a text.
  const jsonOf = (value: object, indent?: number) =>
    JSON.stringify(treatSecrets(value, { text: context.redact }), undefined, indent);
  const write = async (name: string, text: string) => {
    const bytes = Buffer.from(text);
    sums[name] = { size: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
    await files.write(`${folder}/${name}`, bytes, { mode: 0o600 });
  };
  return {
    async add({ unit: { area, scope }, answers, read, failure }) {
      const requests = answers.map(({ method, path, status, requestId = null, at }) => ({
        ...{ at, method, path, status, request_id: requestId },
      }));
      const line = Buffer.from(`${jsonOf({ area, scope, requests, read, failure })}\n`);
      sum.update(line);
      size += line.length;
      written = written.then(() => writer.write([line]));
      await written;
    },
    async end({ rows, markdown, about }) {
      await writer.sync();
      await writer.close();
      sums[sources] = { size, sha256: sum.digest("hex") };
      await write("report.md", markdown);
      await write("report.csv", csv(rows));
      const by = await unlessRefused(context.api.call(getCurrentUser, {}));
      const manifest = {
        program: { name: "forgectl", version: context.program.version },
        instance: context.config.baseUrl?.value ?? null,
        asked_by: by === undefined ? null : { id: by.id, username: by.username, name: by.name },
        started: started.toISOString(),
        ended: context.now().toISOString(),
        ...about,
        files: sums,
      };
      await write("manifest.json", `${jsonOf(manifest, 2)}\n`);
      // In the form of `sha256sum --check`.
      const lines = Object.entries(sums).map(([name, { sha256 }]) => `${sha256}  ${name}\n`);
      await files.write(`${folder}/${sumsFile}`, lines.join(""), { mode: 0o600 });
      refuseReplaced(files, folder);
      isOver = true;
      files.release();
    },
    async discard() {
      if (isOver) return;
      isOver = true;
      await writer.close().catch(() => undefined);
      const isInPlace = files.isInPlace();
      const present = isInPlace ? await files.list(folder).catch(() => []) : [];
      const own = present.filter((name) => names.includes(name));
      if (own.length < present.length) for (const name of own) await files.remove(`${folder}/${name}`);
      files.release();
      if (isInPlace && own.length === present.length) await context.files.removeFolder(folder);
    },
  };
}

function csv(rows: readonly Row[]): string {
  const shown = columns.map((path) => ({ path, names: [path], field: undefined }));
  const shape = { format: "csv", isLogged: false } as const;
  return headerLine(shape, shown) + rows.map((row) => rowLine(shape, shown, row)).join("");
}
