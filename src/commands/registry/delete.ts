import type { Api } from "../../api/api.ts";
import { deleteRepository, getRepository, repositoryId } from "../../api/endpoints/registry.ts";
import { project } from "../../api/endpoints/scope.ts";
import { array, required } from "../../api/field.ts";
import { readPlace } from "../../api/place.ts";
import { Failure, isNotFound } from "../../base/errors.ts";
import { commandLine } from "../../base/shell-words.ts";
import { counted } from "../../base/wording.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { bulk, distinct } from "../../jobs/bulk.ts";
import { asks, confirmed, confirmSeen, type Question } from "../../verbs/confirm.ts";
import { deletionOf, deletions } from "../../verbs/deletion-view.ts";
import { isSeen, madeOrVerified } from "../../verbs/lost-answer-check.ts";
import { noticeAfter } from "../../verbs/notice.ts";
import { secondsToWait, waitFlags, waitFor } from "../../verbs/poll.ts";
import { mostTags } from "./most-tags.ts";

const Deleted = deletionOf({ repository_id: repositoryId });

const defaultWaitSeconds = 300;
const scheduled = "scheduled: the platform deletes in the background; --wait waits for it";

export const deleteRepositories = command({
  name: "delete",
  summary: "Delete registry repositories with all of their tags",
  details:
    "The platform accepts the deletion at once and performs it in the background; the repository's " +
    "status shows the progress. The registry's garbage collection removes unused layers.",
  args: { repository_id: required(array(repositoryId, "Repository IDs")) },
  params: {
    project: required(project),
    ...waitFlags("Wait until they are deleted", defaultWaitSeconds, "Maximum wait for each in seconds"),
  },
  requests: [deleteRepository, getRepository],
  returns: Deleted,
  prints: "rows",
  examples: [
    { line: "registry delete 14 -p acme/storefront" },
    {
      line: "registry delete 13 14 -p acme/storefront --wait --yes",
      note: "in a script: without a question, until they are deleted",
    },
  ],
  related: ["registry list", "registry tags prune"],
  async run(context, { repository_id, project, ...waiting }) {
    const limitSeconds = secondsToWait(waiting, defaultWaitSeconds);
    const waits = limitSeconds !== undefined;
    const ids = distinct(repository_id);
    const question = await questionOn(context, ids, project);
    const look = async () => (await questionOn(context, ids, project)).action;
    const what = `${ids.length === 1 ? "repository" : "repositories"} ${ids.join(", ")}`;
    await confirmSeen(context, question, { seen: question.action, look, what });
    const label = (id: number) => ({ repository_id: id });
    const rows = await bulk(
      context,
      ids,
      async (id) => {
        // One that was not seen may only be hidden.
        const wasSeen = await isSeen(context, (api) => api.call(getRepository, { repository_id: id }));
        await madeOrVerified(
          context,
          () => context.api.call(deleteRepository, { project, repository_id: id }),
          async (api) => (wasSeen ? isDeletedOrScheduled(api, project, id) : undefined),
          `repository ${id} is deleted or scheduled for deletion`,
        );
        if (waits) await untilDeleted(context, { id, project, limitSeconds }).catch(afterScheduling(id));
        return { ...label(id), status: waits ? "deleted" : "scheduled" };
      },
      label,
    );
    return deletions(Deleted, waits ? rows : noticeAfter(context, rows, scheduled));
  },
});

/** For a prompt, names the repositories with the tags that are deleted with them. */
async function questionOn(context: Context, ids: readonly number[], project: string): Promise<Question> {
  const noun = ids.length === 1 ? "repository" : "repositories";
  if (!asks(context)) return { action: `delete ${noun} ${ids.join(", ")} of project ${project} with all tags` };
  const found = await Promise.all(
    ids.map((id) => context.api.call(getRepository, { repository_id: id, tags_count: true })),
  );
  const named = found.map(({ path, tags_count: count }, index) => {
    const tags =
      typeof count !== "number" ? "all tags" : `${count === mostTags ? "at least " : ""}${counted(count, "tag")}`;
    return `${ids[index]} (${path}, ${tags})`;
  });
  return {
    action: `delete ${noun} ${named.join(", ")} of project ${project}`,
    typed: found.map(({ path }) => path).join(" "),
  };
}

/** Deleted, or scheduled for deletion according to its status. */
async function isDeletedOrScheduled(api: Api, project: string, id: number): Promise<boolean> {
  const status = await statusOf(api, project, id);
  return status === undefined || /^delete_(?:scheduled|ongoing)$/.test(status);
}

/**
 * The status of a repository, empty if it has none; undefined if it is gone. Its address does not name the project, and
 * one that cannot be seen answers 404 for its repositories too.
 */
async function statusOf(api: Api, project: string, id: number): Promise<string | undefined> {
  try {
    return (await api.call(getRepository, { repository_id: id })).status ?? "";
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await readPlace(api, "project", project);
    return undefined;
  }
}

/** An error during the wait does not undo the scheduled deletion. */
function afterScheduling(id: number): (error: unknown) => never {
  return (error) => {
    // The timeout's own message already says that the deletion continues.
    if (!(error instanceof Failure) || error.exit === "notReady") throw error;
    const message = `the deletion of repository ${id} is scheduled, but then: ${error.message}`;
    throw error.with({ message, outcome: "made", retryable: false });
  };
}

function deletionFailed(id: number): Failure {
  return new Failure("refused", `the instance gave up deleting repository ${id} (delete_failed)`, {
    code: "deletion_failed",
    reason: "the registry refused it, or protected tags stay",
  });
}

interface ScheduledDeletion {
  id: number;
  project: string;
  limitSeconds: number;
}

async function untilDeleted(context: Context, { id, project, limitSeconds }: ScheduledDeletion): Promise<void> {
  let hasFailed = false;
  await waitFor(context, {
    label: `deleting repository ${id}`,
    limitSeconds,
    resume: commandLine(["registry", "delete", String(id), "-p", project, "--wait", ...confirmed(context)]),
    check: async () => {
      const status = await statusOf(context.api, project, id);
      if (status === undefined) return { done: true };
      // Of an earlier deletion it may be shown once more; nothing tries again then.
      if (status === "delete_failed" && hasFailed) throw deletionFailed(id);
      hasFailed = status === "delete_failed";
      return { progress: status || "not started" };
    },
  });
}
