import { expect, onTestFinished } from "vitest";
import type { Files } from "../../../../src/host.ts";
import { contextFor } from "../../../support/context.ts";

/** A context without an instance, in whose folder every file that is opened must be closed by the end of the test. */
export function closingContext(more: Partial<Files> = {}) {
  const context = contextFor("http://127.0.0.1:1", { retries: 0, files: more });
  let open = 0;
  const counted =
    <A extends unknown[], F extends { close(): Promise<void> } | undefined>(act: (...of: A) => Promise<F>) =>
    async (...of: A): Promise<F> => {
      const file = await act(...of);
      if (file === undefined) return file;
      open += 1;
      const close = file.close.bind(file);
      file.close = () => {
        open -= 1;
        return close();
      };
      return file;
    };
  const { files } = context;
  const { openPrivate, createPrivate, append } = files;
  Object.assign(files, {
    openPrivate: counted(openPrivate.bind(files)),
    createPrivate: counted(createPrivate.bind(files)),
    append: counted(append.bind(files)),
  });
  onTestFinished(() => expect(open).toBe(0));
  return context;
}
