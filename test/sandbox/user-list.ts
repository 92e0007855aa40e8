import { expect } from "vitest";
import type { Asking, Session } from "./session.ts";

export interface Shown {
  readonly id: number;
  readonly username: string;
  readonly identities?: readonly { readonly provider: string; readonly extern_uid: string }[];
  readonly scim_identities?: readonly { readonly extern_uid: string }[];
  readonly custom_attributes?: readonly { readonly key: string; readonly value: string }[];
  readonly [field: string]: unknown;
}

/** All users that a query finds, page by page. */
export async function findUsers(session: Session, query: string, as: Asking["as"] = "administrator"): Promise<Shown[]> {
  const found: Shown[] = [];
  for (let page = 1; ; page += 1) {
    const { status, json } = await session.ask(`GET /users?per_page=100&page=${page}&${query}`, { as: as ?? null });
    expect(status, JSON.stringify(json)).toBe(200);
    found.push(...json);
    if (json.length < 100) return found;
  }
}

/** The number of users that a query finds: some but not all, and only users that pass the test. */
export async function findOnly(session: Session, query: string, test: (user: Shown) => boolean): Promise<number> {
  const found = await findUsers(session, query);
  expect(found.length).toBeGreaterThan(0);
  expect(found.length).toBeLessThan(300);
  expect(found.filter((user) => !test(user))).toEqual([]);
  return found.length;
}
