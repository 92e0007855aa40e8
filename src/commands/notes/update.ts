import {
  confidential,
  getIssueNote,
  getMergeRequestNote,
  getSnippetNote,
  Note,
  note_id,
  updateIssueNote,
  updateMergeRequestNote,
  updateSnippetNote,
} from "../../api/endpoints/notes.ts";
import { required } from "../../api/field.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { choose } from "../../verbs/choose.ts";
import { captchaOptions } from "../posting/captcha.ts";
import { parentFlags } from "../posting/parent.ts";
import { post, postFlags } from "../posting/post.ts";
import { orInThread } from "./in-thread.ts";
import { noteView } from "./view.ts";

const present = [getIssueNote, getMergeRequestNote, getSnippetNote] as const;
const endpoints = [updateIssueNote, updateMergeRequestNote, updateSnippetNote] as const;

export const update = command({
  name: "update",
  summary: "Change the text of a note, or who sees it",
  details:
    "The text given replaces the old one. The editor begins with the text as it is. With --confidential or " +
    "--no-confidential the text of an issue's note may be left out: it stays as it is.",
  args: { note_id: required(note_id) },
  params: {
    ...parentFlags({ epic_id: "notes of epics cannot be changed: the API has no request for it" }),
    ...postFlags,
    confidential,
  },
  requests: endpoints,
  returns: Note,
  examples: [
    { line: "notes update 300001 --issue 28 -p acme/storefront --body 'Fixed in 2.4.1.'" },
    { line: "notes update 300001 --issue 28 -p acme/storefront", note: "in the editor" },
    { line: "notes update 300001 --issue 28 -p acme/storefront --confidential", note: "the text stays as it is" },
  ],
  related: ["notes get", "notes delete", "discussions update"],
  async run(context, input) {
    try {
      return noteView(await change(context, input));
    } catch (error) {
      throw await orInThread(context, error, input, "update");
    }
  },
});

type Input = Parameters<typeof post>[2] & { note_id: number; confidential?: boolean | undefined; issue_iid?: unknown };

/** Only of an issue's note the text may stay as it is without being sent (`2-collaboration-identity-api: Notes`). */
async function change(context: Context, input: Input) {
  const { body, body_file, captcha_response, spam_log_id, ...named } = input;
  const isAsIs = body === undefined && body_file === undefined && input.confidential !== undefined;
  if (isAsIs && input.issue_iid !== undefined) {
    return context.api.call(choose(endpoints, named), named, captchaOptions({ captcha_response, spam_log_id }));
  }
  const initial = async () => (await context.api.call(choose(present, input), input)).body;
  return post(context, endpoints, input, { initial });
}
