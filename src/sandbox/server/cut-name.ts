import type { RouteOptions } from "./router.ts";

/** The path parameters as real instances read them: of one, what is before its dot (`cuts`). */
export function cut(given: Record<string, string>, { deployed = {} }: RouteOptions): Record<string, string> {
  const { cuts } = deployed;
  const [, before] = (cuts !== undefined && /^([^.]+)\.[^.]+$/.exec(given[cuts] ?? "")) || [];
  return cuts === undefined || before === undefined ? given : { ...given, [cuts]: before };
}
