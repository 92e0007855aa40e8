/** Discussions of epics can only be read and started. */
export const noEpics = (deed: string) => ({ epic_id: `${deed} epics: the API has no request for it` });
