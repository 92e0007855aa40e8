/** The result of a custom template is not JSON. */
export class TemplateError extends Error {}

/**
 * Fills a custom template: `{{project.name}}` is the payload's value at that path, a string without its quotes and
 * everything else as JSON; missing values are empty. The result must be JSON.
 *
 * @throws TemplateError
 */
export function fillTemplate(template: string, payload: unknown): unknown {
  const text = template.replace(/\{\{\s*([\w.]+)\s*\}\}/g, (_, path: string) => written(valueAt(payload, path)));
  try {
    return JSON.parse(text);
  } catch {
    throw new TemplateError("the custom template did not produce valid JSON");
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
