const last = new Map<string, Promise<unknown>>();

/** Runs `act` once all earlier ones of the same name in this process have ended. */
export async function oneByOne<T>(name: string, act: () => Promise<T>): Promise<T> {
  const before = last.get(name);
  const run = before === undefined ? act() : before.then(act);
  const end = run.catch(() => undefined);
  last.set(name, end);
  try {
    return await run;
  } finally {
    if (last.get(name) === end) last.delete(name);
  }
}
