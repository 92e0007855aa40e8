import { Failure } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";

/** The documents call it `tracker_dsn`, instances `sentry_dsn`: any such field is used. */
const dsnField = /_dsn$/;

/** A key with its data source name as `tracker_dsn`, whatever the instance calls it. */
export function withDsn<K extends object>(key: K): K & { tracker_dsn: unknown } {
  return { ...key, tracker_dsn: found(key) };
}

/** The DSN for SDKs: an http(s) address that contains a key. Anything else is a Failure (exit 1). */
export function checkedDsn(key: object): string {
  const dsn = found(key);
  if (typeof dsn !== "string" || dsn === "")
    throw unusable("the answer contains no DSN: no field that ends in _dsn has a value");
  const url = URL.canParse(dsn) && !/[\s\p{Cc}]/u.test(dsn) ? new URL(dsn) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw unusable("its DSN is not an http or https address");
  if (url.username === "") throw unusable("its DSN contains no key before the @");
  return dsn;
}

function found(key: object): unknown {
  const fields = Object.entries(key).filter(([name, value]) => dsnField.test(name) && value !== null && value !== "");
  return (fields.find(([name]) => name === "tracker_dsn") ?? fields[0])?.[1];
}

/** The ID of a new key, which must differ from the old one's, since the old key is deleted later. */
export function checkedId(key: unknown, oldId: number): number {
  const id = isObject(key) ? key.id : undefined;
  if (!Number.isSafeInteger(id)) throw unusable("the answer contains no ID");
  if (id === oldId) throw unusable(`the answer contains the ID of the old key, ${oldId}`);
  return id as number;
}

function unusable(reason: string): Failure {
  return new Failure("refused", "the new key cannot be used", { code: "unexpected_answer", reason });
}
