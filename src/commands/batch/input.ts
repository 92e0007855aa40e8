import { createHash } from "node:crypto";
import { UsageError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { type JobRun, resumeJobRun } from "../../jobs/job-run.ts";
import { isShard, type Shard, shardOf } from "../../jobs/shard.ts";
import { readUtf8 } from "../../transfer/source.ts";
import { type Lines, readLines } from "./lines.ts";

export interface Flags {
  readonly input?: string | undefined;
  readonly journal?: string | undefined;
  readonly resume?: string | undefined;
  readonly shard?: string | undefined;
  readonly keep_order?: boolean | undefined;
}

/** The lines to run: of a file, of stdin, or of an earlier run. */
export interface Given {
  readonly lines: Lines;
  /** A run can hold the lines: they have no secrets, and are a file's. */
  readonly holdsLines: boolean;
  /** Only these of the lines are run. */
  readonly shard: Shard | undefined;
  /** What a new run keeps of them. */
  readonly kept: object;
  /** The run that is resumed. */
  readonly run: JobRun | undefined;
}

/** In a recorded run; only the hash of lines that have secrets or came from stdin. */
interface Kept {
  readonly job: "batch";
  readonly lines?: string;
  readonly sha256: string;
  readonly shard?: Shard;
}

export async function givenLines(context: Context, { input, journal, resume, shard: typed }: Flags): Promise<Given> {
  if (resume === undefined) {
    const source = input ?? "-";
    const bytes = await readUtf8(context, source);
    return given(context, bytes, { place: source === "-" ? "stdin" : source, shard: shardOf(context.env, typed) });
  }
  if (typed !== undefined)
    throw new UsageError("give only one of --shard and --resume", { hint: "the run has its own" });
  if (journal !== undefined) throw new UsageError("give only one of --journal and --resume");
  const { run, asked: kept } = await resumeJobRun<Kept>(context, resume, isWhole);
  if (kept.job !== "batch")
    throw new UsageError(`run ${resume} is not one of batch`, { hint: `each --resume ${resume}` });
  const { shard } = kept;
  if (input === undefined) {
    if (kept.lines !== undefined)
      return given(context, Buffer.from(kept.lines), { place: `run ${resume}`, shard, run });
    throw new UsageError(`run ${resume} does not hold its lines: they have secrets, or came from stdin`, {
      hint: `repeat the command with its input and --resume ${resume}`,
    });
  }
  const bytes = await readUtf8(context, input);
  if (kept.lines === undefined && digestOf(bytes) !== kept.sha256) {
    throw new UsageError(`${input === "-" ? "stdin" : input} is not the input of run ${resume}`);
  }
  return given(context, bytes, { place: input === "-" ? "stdin" : input, shard, run });
}

function isWhole({ job, lines = "", sha256, shard }: Record<string, unknown>): boolean {
  return job !== "batch" || (typeof lines === "string" && typeof sha256 === "string" && isShard(shard));
}

interface Source {
  readonly place: string;
  readonly shard: Shard | undefined;
  readonly run?: JobRun;
}

async function given(context: Context, bytes: Buffer, { place, shard, run }: Source): Promise<Given> {
  const lines = await readLines(context, bytes, { place, shard });
  const holdsLines = place !== "stdin" && !lines.secret;
  const kept: Kept = {
    ...{ job: "batch", sha256: digestOf(bytes) },
    ...(holdsLines && { lines: bytes.toString("utf8") }),
    ...(shard !== undefined && { shard }),
  };
  return { lines, holdsLines, shard, kept, run };
}

function digestOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
