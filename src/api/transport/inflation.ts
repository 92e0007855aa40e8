/** Up to this size, in unpacked bytes, any compression ratio is allowed. */
const harmlessBytes = 16 * 1024 * 1024;
/** Maximum compression ratio; JSON of similar rows is rarely above 50. */
const maxRatio = 200;

/**
 * Whether compressed JSON unpacks to more than any of the platform's does: a little data must not become work without
 * bound.
 */
export function isInflated(unpacked: number, packed: number): boolean {
  return unpacked > harmlessBytes && unpacked > packed * maxRatio;
}

export const inflated = `it unpacks to more than ${maxRatio} times its size`;
