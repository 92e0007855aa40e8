/** Whether the value of a setting is the ID of a project or a group. */
export function isIdSetting(name: string): boolean {
  return /^\w+_(?:group|project)_id$/.test(name);
}
