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
];
