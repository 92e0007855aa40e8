import { join } from "node:path";
import { DryRunStop } from "../../../api/api.ts";
import { ClientKey, createClientKey, deleteClientKey, listClientKeys } from "../../../api/endpoints/error-tracking.ts";
import { project } from "../../../api/endpoints/scope.ts";
import { boolean, entity, id, type Row, required, string } from "../../../api/field.ts";
import { mayHaveBeenMade } from "../../../api/outcome.ts";
import { Failure, missing, reasonIn, UsageError } from "../../../base/errors.ts";
import { lookAgain } from "../../../base/look-again.ts";
import type { Context } from "../../../context.ts";
import { command } from "../../../declare/command.ts";
import { folderAbove } from "../../../transfer/folder-above.ts";
import { refusePipe } from "../../../transfer/source.ts";
import { confirm } from "../../../verbs/confirm.ts";
import { collected } from "../../../verbs/row-collection.ts";
import { checkedDsn, checkedId } from "../dsn.ts";
import { listing, stopped, uncertain, unusable } from "./rotation-failure.ts";

const RotatedKey = entity("RotatedKey", { ...ClientKey.shape, replaces: id("The key that it replaces") });

type Key = Row<typeof ClientKey.shape>;

interface Plan {
  project: string;
  oldId: number;
  dsnFile: string | undefined;
  check: string | undefined;
  /** A key that an earlier run made. */
  newId: number | undefined;
  force: boolean;
}

export const rotate = command({
  name: "rotate",
  summary: "Replace an error tracking key with a new one",
  details:
    "Creates a key, verifies that it is listed, writes its DSN (to a file with mode 0600, or to stdout), runs the check " +
    "with the DSN on its stdin, and only then deletes the old key. The check's output is shown on stderr. If anything " +
    "fails or is interrupted before that, the old key still works, and the message says how to continue with the key " +
    "that was made (--new-key), so that a repeated run leaves no other key.",
  args: { key_id: required(id("The key to replace", { placeholder: "key-id", completes: "error-key" })) },
  params: {
    project: required(project),
    dsn_file: string("Write the new DSN to this file", {
      placeholder: "file",
      completes: "file",
      writes: "whole",
      min: 1,
    }),
    reveal: boolean("Show the new DSN"),
    new_key: id("Continue with this key, which an earlier run made, instead of a new one", {
      placeholder: "key-id",
      completes: "error-key",
    }),
    force: boolean("Replace the file of --dsn-file if it exists"),
    check: string("Command that must succeed before the old key is deleted; it reads the new DSN from stdin", {
      placeholder: "command",
      min: 1,
    }),
  },
  requests: [listClientKeys, createClientKey, deleteClientKey],
  returns: RotatedKey,
  prints: "record",
  examples: [
    { line: "errors keys rotate 1 -p acme/storefront --dsn-file dsn.txt --yes" },
    {
      line: "errors keys rotate 1 -p acme/storefront --dsn-file dsn.txt --check './deploy.sh' --yes",
      note: "the old key is deleted after deploy.sh has succeeded",
    },
    { line: "errors keys rotate 1 -p acme/storefront --new-key 2 --dsn-file dsn.txt --force --yes" },
  ],
  related: ["errors keys list", "errors keys delete"],
  async run(context, { project, key_id: oldId, dsn_file: dsnFile, reveal = false, check, ...more }) {
    if (dsnFile === undefined && !reveal) throw missing("--dsn-file <file> or --reveal");
    if (dsnFile !== undefined && reveal) throw new UsageError("give only one of --dsn-file and --reveal");
    const { new_key: newId, force = false } = more;
    const plan = { project, oldId, dsnFile, check, newId, force };
    if (newId === oldId) throw new UsageError("--new-key is the key to replace");
    if (dsnFile !== undefined) await checkTarget(context, dsnFile, force);
    if ((await find(context, project, oldId)) === undefined) throw noSuchKey(plan, oldId);
    const made = newId === undefined ? undefined : await find(context, project, newId);
    if (newId !== undefined && made === undefined) throw noSuchKey(plan, newId);
    const by = newId === undefined ? "a new one" : `key ${newId}`;
    await confirm(context, { action: `replace error tracking key ${oldId} with ${by} (project ${project})` });
    if (context.config.dryRun) return planned(context, plan);
    const key = made ?? (await create(context, plan));
    let dsn: string;
    try {
      dsn = await deliver(context, plan, key);
    } catch (error) {
      throw stopped(error, { ...plan, newId: key.id, delivered: false, deleting: false });
    }
    return {
      record: { ...key, tracker_dsn: dsn, replaces: oldId },
      reveal,
      until: (printed) => finish(context, plan, { id: key.id, dsn }, printed),
    };
  },
});

/**
 * Only writing shows whether the folder is writable: an empty file is created there and removed, before there is a DSN.
 */
async function checkTarget(context: Context, path: string, force: boolean): Promise<void> {
  const { files } = context;
  const kind = (await files.facts(path))?.kind;
  if (kind === "folder") throw new UsageError(`--dsn-file: ${path} is a folder; name a file in it`);
  refusePipe(kind, path, "use --reveal to print the DSN on stdout, and redirect it to");
  if (kind === "other") return;
  if (kind !== undefined && !force) {
    throw new UsageError(`--dsn-file: ${path} exists`, { hint: "name another file, or replace it with --force" });
  }
  const folder = await folderAbove(context, path, "--dsn-file");
  const probe = join(folder, `.forgectl-${crypto.randomUUID()}.tmp`);
  try {
    await files.create(probe, "", { mode: 0o600 });
    await files.remove(probe);
  } catch (error) {
    throw new UsageError(`--dsn-file: ${path} cannot be written`, { reason: reasonIn(error), cause: error });
  }
}

async function find(context: Context, project: string, keyId: number): Promise<Key | undefined> {
  for await (const key of context.api.list(listClientKeys, { project }, { limit: undefined })) {
    if (key.id === keyId) return key;
  }
  return undefined;
}

function noSuchKey({ project }: Plan, keyId: number): Failure {
  return new Failure("notFound", `error tracking key ${keyId} was not found in project ${project}`, {
    nothing: "changed",
    hint: listing(project),
  });
}

async function planned(context: Context, { project, oldId, newId }: Plan): Promise<never> {
  if (newId === undefined) {
    await context.api.call(createClientKey, { project }).catch((error: unknown) => {
      if (!(error instanceof DryRunStop)) throw error;
    });
  }
  await context.api.call(deleteClientKey, { project, key_id: oldId });
  throw new DryRunStop();
}

async function create(context: Context, plan: Plan): Promise<Key> {
  try {
    const key = await context.api.call(createClientKey, { project: plan.project });
    return { ...key, id: checkedId(key, plan.oldId) };
  } catch (error) {
    throw uncertain(error, plan);
  }
}

/**
 * Verifies that the new key exists and has a DSN, and writes the DSN to the file; with `--reveal` it is in the record.
 *
 * @returns the DSN
 */
async function deliver(context: Context, { project, dsnFile }: Plan, key: Key): Promise<string> {
  await refuseUnusable(context, project, key.id);
  context.signal.throwIfAborted();
  const dsn = checkedDsn(key);
  if (dsnFile !== undefined) await context.files.write(dsnFile, `${dsn}\n`, { mode: 0o600 });
  return dsn;
}

async function refuseUnusable(context: Context, project: string, keyId: number): Promise<void> {
  const listed = await lookAgain(
    () => find(context, project, keyId),
    (key) => key !== undefined,
    context.sleep,
  );
  const why = listed === undefined ? "not in the list of keys" : listed.active === false ? "not active" : undefined;
  if (why !== undefined) throw new Failure("refused", `the new key is ${why}`, { code: unusable });
}

/** The steps that require the DSN to be delivered: the check, and the deletion of the old key. */
async function finish(context: Context, plan: Plan, key: { id: number; dsn: string }, printed: Promise<void>) {
  const { project, oldId, dsnFile, check } = plan;
  let delivered = dsnFile !== undefined;
  let deleting = false;
  try {
    await printed;
    delivered = true;
    const look = async () => {
      deleting = false;
      await refuseUnusable(context, project, key.id);
      deleting = true;
    };
    if (check !== undefined) await runCheck(context, check, key.dsn);
    // A check may take long: without the new key, the old one is the only one.
    if (check !== undefined) await look();
    context.signal.throwIfAborted();
    deleting = true;
    await context.api.call(deleteClientKey, { project, key_id: oldId }, { afterWait: look });
  } catch (error) {
    if (!deleting || !(await isGone(context, plan, { newId: key.id, error }))) {
      throw stopped(error, { ...plan, newId: key.id, delivered, deleting });
    }
  }
  context.notice(`error tracking key ${oldId} is deleted; ${key.id} replaces it`);
}

/**
 * It may be deleted, by this request or meanwhile, as desired: a list that has the new key shows it, since a 404 may
 * come from elsewhere, and an answer may be lost.
 */
async function isGone(
  context: Context,
  { project, oldId }: Plan,
  { newId, error }: { newId: number; error: unknown },
): Promise<boolean> {
  if (!(error instanceof Failure) || error.exit === "interrupted") return false;
  if (error.details.status !== 404 && !mayHaveBeenMade(error)) return false;
  const look = async () => {
    const list = collected(context.api.list(listClientKeys, { project }, { limit: undefined }));
    const ids = await list.then((keys) => keys.map(({ id }) => id)).catch((): number[] => []);
    return ids.includes(newId) && !ids.includes(oldId);
  };
  return lookAgain(
    look,
    (isSeen) => isSeen,
    (ms) => context.sleep(ms).catch(() => undefined),
  );
}

const maxLines = 10;

async function runCheck(context: Context, check: string, dsn: string): Promise<void> {
  const task = context.progress.start("checking the new key");
  try {
    const { code, stdout, stderr } = await context.processes.shell(check, {
      input: `${dsn}\n`,
      signal: context.signal,
    });
    context.signal.throwIfAborted();
    const lines = [...stdout.split("\n"), ...stderr.split("\n")].filter((line) => line.trim() !== "");
    for (const line of lines) context.notice(context.redact(`check: ${line}`));
    if (code === 0) return;
    const said = lines.slice(-maxLines).join("\n");
    throw new Failure("refused", `the check ended with exit code ${code}`, {
      code: "check_failed",
      ...(said !== "" && { reason: said }),
    });
  } finally {
    task.stop();
  }
}
