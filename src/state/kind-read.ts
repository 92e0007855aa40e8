import type { AnyEndpoint } from "../api/endpoint.ts";

/** How a kind is read: one object, or a list; and what a 404 means. */
export interface Read {
  readonly endpoint: AnyEndpoint;
  /** The value that replaces a 404 of the instance, and what such a 404 says, if there is a message for it. */
  readonly missing?: { readonly value: object; readonly says?: RegExp };
  /** Only for a record: if this field is absent, the record is not visible. */
  readonly shows?: string;
  /** Only for a list: what it shows besides the entries of the scope. */
  isElsewhere?(live: Readonly<Record<string, unknown>>): boolean;
  /** Only for a list: reads one by a field (`as` in requests), for what the list leaves out; each one, if `always`. */
  readonly detail?: Readonly<{ endpoint: AnyEndpoint; by: string; as?: string; for: string; always?: true }>;
}
