/** What an instance shows of a hook that it has disabled after failures. */
export interface DisabledHook {
  readonly alert_status?: string | null | undefined;
  readonly disabled_until?: string | null | undefined;
}

/**
 * Whether an instance sends nothing to a hook now. Once `disabled_until` is past, it sends again, and shows that time
 * until the next success (hook-disabled-before). Undefined if it shows neither.
 */
export function isDisabled(
  { alert_status: status, disabled_until: until }: DisabledHook,
  now: Date,
): boolean | undefined {
  if (typeof status === "string" && status !== "") return status !== "executable";
  if (until === null) return false;
  const end = Date.parse(until ?? "");
  return Number.isNaN(end) ? undefined : end > now.getTime();
}
