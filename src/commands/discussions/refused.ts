/** Discussions of epics can be read and started, and that is all. */
export const noEpics = (deed: string) => ({ epic_id: `${deed} epics: the API has no request for it` });

/** Only what is said about a change can be resolved. */
const resolvable = "only discussions of merge requests can be resolved";
export const onlyMergeRequests = { issue_iid: resolvable, snippet_id: resolvable, epic_id: resolvable };
