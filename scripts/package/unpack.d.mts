export function unpack(tarball: string, integrity: string, files: readonly string[], store: string): Promise<string>;
