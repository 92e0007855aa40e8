export function buildVersion(root: string): string;
export function commitOf(root: string): string | undefined;
export function commitTime(root: string): number | undefined;
