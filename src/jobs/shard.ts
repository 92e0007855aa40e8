import { createHash } from "node:crypto";
import { string } from "../api/field.ts";
import { UsageError } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import type { Environment } from "../host.ts";

/** One of several machines that share the items of a command, from 1. */
export interface Shard {
  readonly index: number;
  readonly total: number;
}

/** Whether a value that was stored is a shard, or none. */
export function isShard(value: unknown): boolean {
  return value === undefined || (isObject(value) && [value.index, value.total].every(Number.isSafeInteger));
}

/** The most machines that share one command. */
const maxTotal = 10_000;

export const shardFlag = string("Only this part of the items, such as 2/4; ci is the part of this job of parallel:", {
  placeholder: "i/n|ci",
});

/** The shard of a flag's text; `ci` reads the variables that `parallel:` gives to each of its jobs. */
export function shardOf(env: Environment, text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined;
  if (text === "ci") return shardOfJob(env);
  const [, index = "", total = ""] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? [];
  return shard(Number(index), Number(total), `--shard ${text}`);
}

/** A job without `parallel:` has a total of 1, and no index. */
function shardOfJob({ CI_NODE_INDEX: index, CI_NODE_TOTAL: total }: Environment): Shard {
  if (!index && !total) {
    throw new UsageError("--shard ci: neither CI_NODE_INDEX nor CI_NODE_TOTAL is set", {
      hint: "give the job parallel: <n>, or the part itself: --shard 2/4",
    });
  }
  const whole = (value: string | undefined) => (/^\d{1,5}$/.test(value ?? "") ? Number(value) : 0);
  const first = !index && total === "1" ? 1 : whole(index);
  return shard(first, whole(total), `--shard ci: CI_NODE_INDEX=${index ?? ""} and CI_NODE_TOTAL=${total ?? ""}`);
}

function shard(index: number, total: number, given: string): Shard {
  if (index >= 1 && index <= total && total <= maxTotal) return { index, total };
  throw new UsageError(`${given} is not a part of a whole`, { hint: "give a part and their number: --shard 2/4" });
}

/** Whether an item belongs to the shard: the same on every machine. Without a shard, every item does. */
export function isInShard(of: Shard | undefined, id: string): boolean {
  if (of === undefined) return true;
  return (createHash("sha256").update(id).digest().readUInt32BE() % of.total) + 1 === of.index;
}

/** The words that give the same shard again, on any machine. */
export function shardWords(of: Shard | undefined): string[] {
  return of === undefined ? [] : ["--shard", `${of.index}/${of.total}`];
}
