import {
  Discussion,
  listMergeRequestDiscussions,
  resolveMergeRequestDiscussion,
} from "../../api/endpoints/discussions.ts";
import { command } from "../../declare/command.ts";
import { choose } from "../../verbs/choose.ts";
import { recordOf } from "../../verbs/shown.ts";
import { parentFlags } from "../posting/parent.ts";
import { onlyMergeRequests } from "./refused.ts";
import { discussion } from "./thread.ts";
import { discussionArgument, withWholeId } from "./which.ts";

const endpoints = [resolveMergeRequestDiscussion] as const;

export const resolve = resolving("resolve", true, "Mark a discussion of a merge request as resolved");
export const unresolve = resolving("unresolve", false, "Open a resolved discussion of a merge request again");

function resolving(name: string, resolved: boolean, summary: string) {
  return command({
    name,
    summary,
    details: "All notes of the thread at once. A single comment cannot be resolved; a reply to it makes it a thread.",
    args: discussionArgument,
    params: parentFlags(onlyMergeRequests),
    requests: [...endpoints, listMergeRequestDiscussions],
    returns: Discussion,
    examples: [{ line: `discussions ${name} 9378a9ed97b1266e5499edbf127073497476ca09 --mr 19 -p acme/storefront` }],
    related: ["discussions get", "discussions reply"],
    async run(context, input) {
      const endpoint = choose(endpoints, input);
      const named = await withWholeId(context, input);
      return recordOf(discussion, await context.api.call(endpoint, { ...named, resolved }));
    },
  });
}
