type End = () => unknown;

const ofFile: End[] = [];
const ofTest: End[] = [];

/** Runs a function after the file's tests, in reverse order; an `afterAll` inside a test is silently ignored. */
export function atEnd(end: End): void {
  ofFile.push(end);
}

/** The same after the test. */
export function atTestEnd(end: End): void {
  ofTest.push(end);
}

/** What is made once for a file's tests, and again for the next file's, since files share modules. */
export function oncePerFile<T>(make: () => T): () => T {
  let made: { it: T } | undefined;
  return () => {
    if (made === undefined) {
      atEnd(() => {
        made = undefined;
      });
      made = { it: make() };
    }
    return made.it;
  };
}

export const endFile = () => doAll(ofFile);
export const endTest = () => doAll(ofTest);

async function doAll(ends: End[]): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}
