export function toolFolder(name: string): string;
