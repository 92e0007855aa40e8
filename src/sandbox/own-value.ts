/** What a table has under a name of a request: not what every object has from elsewhere (`constructor`). */
export function ownValue<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
