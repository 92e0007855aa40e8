/** Discussions of epics can be read and started, and that is all. */
export const noEpics = (deed: string) => ({ epic_id: `${deed} epics: the API has no request for it` });
