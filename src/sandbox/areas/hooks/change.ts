import type { GroupHook } from "./model.ts";
import type { HookValues } from "./params.ts";

/** Only the given values. An empty token means none. */
export function given(values: HookValues): Partial<GroupHook> {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(present), ...(values.token !== undefined && { token: values.token || null }) };
}

/**
 * A hook's secrets after a change on a real instance: headers are set one by one, and a new URL removes them all, the
 * URL's variables too, and the token unless the request includes it.
 */
export function givenAsDeployed(hook: GroupHook, values: HookValues): Partial<GroupHook> {
  const changed = given(values);
  if (values.url !== hook.url) {
    return { ...changed, custom_headers: [], url_variables: [], token: changed.token ?? null };
  }
  if (values.custom_headers === undefined) return changed;
  const set = new Map([...hook.custom_headers, ...values.custom_headers].map(({ key, value }) => [key, value]));
  return { ...changed, custom_headers: [...set].map(([key, value]) => ({ key, value })) };
}
