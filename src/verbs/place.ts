import { type AnyEndpoint, pathNames } from "../api/endpoint.ts";

/** ` (project 7, issue 12)`: the location of the object that the path's parameter `last` names, for a prompt. */
export function placeOf(endpoint: AnyEndpoint, values: object, last: string): string {
  const places = pathNames(endpoint).filter((name) => name !== last);
  if (places.length === 0) return "";
  const given: Readonly<Record<string, unknown>> = { ...values };
  return ` (${places.map((name) => `${nounOf(name)} ${given[name]}`).join(", ")})`;
}

/** `merge request` for `merge_request_iid`. */
export function nounOf(name: string): string {
  return name.replace(/_(?:i?id|name)$/, "").replaceAll("_", " ");
}
