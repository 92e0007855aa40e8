export const nodeVersion: string;
/** The target that this machine can run, such as `linux-x64`. */
export const ownTarget: string;
export function isFetched(target: string): boolean;
