/** Merge requests have discussions, but the documents have no request for them. */
const mergeRequests =
  "the API has no requests for discussions of merge requests; for their notes: forgectl notes list --mr";

export const noMergeRequests = { merge_request_iid: mergeRequests };

/** Discussions of epics can be read and started, and that is all. */
export const noEpics = (deed: string) => ({
  ...noMergeRequests,
  epic_id: `${deed} epics: the API has no request for it`,
});
