export interface Store {
  readonly stub: true;
}
/** The data file cannot be used: it is broken, of a newer version, or unreadable. The file is left as it is. */
export class SandboxDataError extends Error {
  override readonly name = "SandboxDataError";
}
