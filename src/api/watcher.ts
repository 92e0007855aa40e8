/** Observes pending requests and the progress of lists. */
export interface Watcher {
  /** Called when a request is sent; the returned function is called when it is answered. */
  asked(): () => void;
  /** Rows of a list received, and the total requested, if known. */
  counted(rows: number, total: number | undefined): void;
}

/** Runs an action while the watcher, if any, shows a pending request. */
export async function watched<T>(watcher: Watcher | undefined, act: () => Promise<T>): Promise<T> {
  const answered = watcher?.asked();
  try {
    return await act();
  } finally {
    answered?.();
  }
}
