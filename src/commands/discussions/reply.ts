import { projectDiscussions } from "../../api/endpoints/discussions.ts";
import { created_at, note_id, Posted } from "../../api/endpoints/notes.ts";
import { Failure } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { choose } from "../../verbs/choose.ts";
import { withWhole } from "../../verbs/shortened.ts";
import { recordOf } from "../../verbs/shown.ts";
import { posted } from "../notes/view.ts";
import { parentFlags } from "../posting/parent.ts";
import { postFlags, postText } from "../posting/post.ts";
import { noEpics } from "./refused.ts";
import { discussionArgument, shortened } from "./which.ts";

const endpoints = projectDiscussions.reply;
const [ofIssue, , ofSnippet] = projectDiscussions.get;

export const reply = command({
  name: "reply",
  summary: "Reply in a discussion of an issue, merge request, or snippet",
  details: "A reply to a single comment turns it into a thread.",
  args: discussionArgument,
  params: {
    ...parentFlags(noEpics("there are no replies to discussions of")),
    ...postFlags,
    note_id: { ...note_id, description: "Note replied to (issues and snippets); the discussion's first unless given" },
    created_at,
  },
  requests: [...endpoints, ofIssue, ofSnippet, ...projectDiscussions.list],
  returns: Posted,
  examples: [
    {
      line: "discussions reply 45e1ded38990e86b70bc91ffbf1f90b1d0e47350 --issue 28 -p acme/storefront --body 'Agreed.'",
    },
  ],
  related: ["discussions get", "discussions create"],
  async run(context, input) {
    const more = async () => {
      const { discussion_id } = await withWhole(context, input, shortened);
      if (input.merge_request_iid !== undefined) return { discussion_id };
      return { discussion_id, note_id: input.note_id ?? (await firstNote(context, { ...input, discussion_id })) };
    };
    return recordOf(posted, await postText(context, endpoints, input, { more }));
  },
});

/** The documents want the note replied to; the one that began the discussion is as good as any. */
async function firstNote(context: Context, input: { discussion_id: string }): Promise<number> {
  const { notes } = await context.api.call(choose(projectDiscussions.get, input), input);
  const [first] = notes;
  if (first !== undefined) return first.id;
  throw new Failure("notFound", `discussion ${input.discussion_id} has no note to reply to`);
}
