/** The result of a custom template is not JSON. */
export class TemplateError extends Error {}

/**
 * Fills a custom template: `{{project.name}}` is the payload's value at that path, a string without its quotes and
 * everything else as JSON; missing values are empty, and null on a real instance. The result must be JSON.
 *
 * @throws TemplateError
 */
export function fillTemplate(template: string, payload: unknown, asDeployed: boolean): unknown {
  const missing = asDeployed ? null : undefined;
  const text = template.replace(/\{\{\s*([\w.]+)\s*\}\}/g, (_, path: string) => {
    if (asDeployed) refuseParts(payload, path);
    return written(valueAt(payload, path) ?? missing);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new TemplateError("the custom template did not produce valid JSON");
  }
}

/** A real instance does not look for a part of a text, a number, or a list. */
function refuseParts(payload: unknown, path: string): void {
  const names = path.split(".");
  for (const [index] of names.entries()) {
    const above = valueAt(payload, names.slice(0, index).join("."));
    if (index > 0 && above != null && (typeof above !== "object" || Array.isArray(above))) {
      throw new TemplateError("You may be trying to access an array value, which is not supported.");
    }
  }
}

function valueAt(payload: unknown, path: string): unknown {
  let here = payload;
  for (const name of path.split(".")) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, name)) return undefined;
    here = (here as Record<string, unknown>)[name];
  }
  return here;
}

function written(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return typeof value === "string" ? text.slice(1, -1) : text;
}
