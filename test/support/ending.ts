import { afterAll } from "vitest";

const endings: (() => unknown)[] = [];

/**
 * Does something after the file's tests, last come first served. An `afterAll` inside of a hook or a test is passed
 * over silently; this one is there as soon as a test file imports a helper that needs it.
 */
export function atEnd(end: () => unknown): void {
  endings.push(end);
}

afterAll(async () => {
  for (const end of endings.reverse()) await end();
});
