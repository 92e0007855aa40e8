/**
 * What a table has under a name that comes from outside. Every object has `constructor` and `toString` from elsewhere:
 * read directly, they would be taken for entries.
 */
export function ownValue<T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}
