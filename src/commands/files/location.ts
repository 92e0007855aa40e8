import { type FileFacts, getFile, statFile } from "../../api/endpoints/files.ts";
import type { Row } from "../../api/field.ts";
import { readPlace } from "../../api/place.ts";
import { type Failure, isNotFound } from "../../base/errors.ts";
import type { Context } from "../../context.ts";

export type Facts = Row<typeof FileFacts.shape> | undefined;

/** How a file was before a commit: whether it was as the commit leaves it, and by which commit. */
export interface Before {
  wasSo: boolean;
  last_commit_id?: string | undefined;
}

/** A commit of one file, with the data to check its outcome. */
export interface Commit {
  action: "create" | "update" | "delete";
  project: string;
  file_path: string;
  branch: string;
  start_branch?: string | undefined;
  last_commit_id?: string | undefined;
  execute_filemode?: boolean | undefined;
  /** What is to be written. */
  bytes?: Uint8Array;
  /** The program checked the branch beforehand and chose this action. */
  checked?: boolean;
  /** What the program saw on the branch beforehand, where it did not choose by it. */
  before?: Before | undefined;
}

type Place = Pick<Commit, "project" | "file_path">;

/**
 * The full name of a branch. Of its short name Git takes a tag first, which anybody may create who can push: a commit
 * follows the branch, and what is read before it must be the branch too (tag-before-branch).
 */
export function refOf(branch: string): string {
  return `refs/heads/${branch}`;
}

/** The metadata of a file on a branch; undefined if the file, or the branch, does not exist. */
export function statOn(context: Context, place: Place, branch: string) {
  return statAt(context, place, refOf(branch));
}

/** The same, of anything that Git takes for a commit. */
export async function statAt(context: Context, { project, file_path }: Place, ref: string) {
  return orMissing(context.api.call(statFile, { project, file_path, ref }), () => undefined);
}

/** The text of a file on a branch; empty if there is none. */
export async function textOn(context: Context, { project, file_path }: Place, branch: string): Promise<string> {
  const file = context.api.call(getFile, { project, file_path, ref: refOf(branch) });
  const { content } = (await orMissing(file, () => undefined)) ?? {};
  return typeof content === "string" ? Buffer.from(content, "base64").toString("utf8") : "";
}

/** A file on a branch, or what is missing: `either` if the instance does not say which. */
export type Located = { facts: NonNullable<Facts> } | { missing: "file" | "branch" | "either" };

/**
 * Like `statOn`, but distinguishes a missing file from a missing branch: only an answer's body says which, and HEAD has
 * none.
 */
export async function locate(context: Context, place: Place, branch: string): Promise<Located> {
  const facts = await statOn(context, place, branch);
  if (facts !== undefined) return { facts };
  const { project, file_path } = place;
  const file = context.api
    .call(getFile, { project, file_path, ref: refOf(branch) })
    .then((found) => ({ facts: found }));
  return orMissing<Located>(file, ({ details: { reason = "" } }) => {
    if (/\bfile not found/i.test(reason)) return { missing: "file" };
    return { missing: /\b(?:commit|branch|ref) not found/i.test(reason) ? "branch" : "either" };
  });
}

/**
 * The same; a 404 that does not say what is missing may be that of the project, or of a proxy: the project has to be
 * there.
 */
export async function locateInProject(context: Context, place: Place, branch: string): Promise<Located> {
  const located = await locate(context, place, branch);
  if ("missing" in located && located.missing === "either") await readPlace(context.api, "project", place.project);
  return located;
}

async function orMissing<T>(answer: Promise<T>, missing: (error: Failure) => T): Promise<T>;
async function orMissing<T>(answer: Promise<T>, missing: (error: Failure) => undefined): Promise<T | undefined>;
async function orMissing<T>(answer: Promise<T>, missing: (error: Failure) => T | undefined): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isNotFound(error)) return missing(error);
    throw error;
  }
}
