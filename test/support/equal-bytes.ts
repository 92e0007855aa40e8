import { expect } from "vitest";

// Bytes are compared at once: the test runner would look at each as a property, 150,000 of them for a second.
expect.addEqualityTesters([
  (one, other) => (Buffer.isBuffer(one) && Buffer.isBuffer(other) ? one.equals(other) : undefined),
]);
