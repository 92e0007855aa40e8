/** Somebody who wants to see that an answer is waited for, and how far a list has come. */
export interface Watcher {
  /** A request is on its way; what is returned is called once it is answered. */
  asked(): () => void;
  /** Rows of a list that are here, of so many that are wanted, where that is known. */
  counted(rows: number, total: number | undefined): void;
}

/** Does something while the watcher, if there is one, sees that an answer is waited for. */
export async function watched<T>(watcher: Watcher | undefined, act: () => Promise<T>): Promise<T> {
  const answered = watcher?.asked();
  try {
    return await act();
  } finally {
    answered?.();
  }
}
