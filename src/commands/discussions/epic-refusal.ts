/** Discussions of epics can only be read and started. */
export const noEpics = (action: string) => ({ epic_id: `${action} epics: the API has no request for it` });
