/**
 * One way in which real instances answer otherwise than the API documents say. What the program does about it is code
 * that names the difference's `id`; `sandbox start --as-deployed` answers as `instances` says.
 */
export interface Difference {
  readonly id: string;
  /** The group of commands that it concerns; `all` for several. */
  readonly area: string;
  /** What the documents say, in a sentence. */
  readonly documents: string;
  /** What instances do, in a sentence. */
  readonly instances: string;
  /** What the program does about it, in a sentence. */
  readonly program: string;
}

/** All that are known, by area and by harm. */
export const differences: readonly Difference[] = [
  {
    id: "project-and-group-lookup",
    area: "all",
    documents: "Neither a project nor a group can be looked up.",
    instances: "`GET /projects/:id` and `GET /groups/:id` answer with ID, path, and a few fields more.",
    program:
      "A path is turned into an ID with them where an ID is needed; where they do not answer, the ID is asked for.",
  },
  {
    id: "hook-new-url",
    area: "hooks",
    documents: "What a change of a hook does not give stays as it is.",
    instances:
      "A new URL drops the token unless the same request gives one, all custom headers, also those of the same " +
      "request, and the URL variables.",
    program:
      "`hooks update --url` sends the token along and the headers again in a second request, and asks before it drops " +
      "what is not given again.",
  },
  {
    id: "hook-headers-merged",
    area: "hooks",
    documents: "`custom_headers` is the list of a hook's headers.",
    instances: "Headers given are set, the others stay; one is removed with a request of its own.",
    program:
      "`hooks update --header` looks at the hook's headers first, asks before those that are not given may be lost, " +
      "and says what became of them; `--remove-header` sends the request of its own.",
  },
  {
    id: "hook-delete-and-test",
    area: "hooks",
    documents: "No request deletes a hook or tests it.",
    instances: "`DELETE /groups/:id/hooks/:hook_id` and `POST …/test/:trigger`.",
    program: "`hooks delete` and `hooks test` send them, and say where an instance may lack them.",
  },
];
