import type { Shape, ShapeField } from "./view.ts";

/** What stands where a secret stood. */
export const masked = "********";

/** A data source name holds a key, wherever it turns up. */
const secretKey = /(?:^|_)dsn$/;

/** Hides documented secrets and data source names at any depth; what holds none is handed back as it is. */
export function hideSecrets<T>(value: T, shape?: Shape): T {
  return hide(value, shape) as T;
}

function hide(value: unknown, shape: Shape | undefined): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? hideInArray(value, shape) : hideInObject(value as Record<string, unknown>, shape);
}

function hideInArray(items: readonly unknown[], shape: Shape | undefined): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (const [index, item] of items.entries()) {
    const hidden = hide(item, shape);
    if (hidden === item) continue;
    copy ??= [...items];
    copy[index] = hidden;
  }
  return copy ?? items;
}

function hideInObject(row: Record<string, unknown>, shape: Shape | undefined): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(row)) {
    const value = row[key];
    // Whether a secret is set at all may be known.
    if (value === null || value === undefined || value === "") continue;
    const field = shape?.[key];
    const hidden = isSecret(key, field) ? masked : hide(value, field?.shape ?? field?.item?.shape);
    if (hidden === value) continue;
    copy ??= { ...row };
    copy[key] = hidden;
  }
  return copy ?? row;
}

function isSecret(key: string, field: ShapeField | undefined): boolean {
  return field?.secret === true || field?.item?.secret === true || (key.endsWith("dsn") && secretKey.test(key));
}
