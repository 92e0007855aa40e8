/** Whether a setting holds IDs of projects, groups, or users, also one that the API documents do not name. */
export function isIdSetting(name: string): boolean {
  return /_(?:group|project|namespace|user)_ids?$|_users_alertlist$/.test(name);
}
