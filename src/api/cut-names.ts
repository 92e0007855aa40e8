import { Failure, undefinedOn } from "../base/errors.ts";
import { uncapitalize } from "../base/wording.ts";
import type { Api } from "./api.ts";
import { type AnyEndpoint, pathNames } from "./endpoint.ts";

/**
 * Refuses a change of an object with a dot in its name if another one has the name before the dot: some releases read
 * what follows it as a format, and change that one (environment-dots). With two dots they answer 404.
 */
export async function refuseCut(api: Pick<Api, "call">, endpoint: AnyEndpoint, input: object): Promise<void> {
  const { cutNames } = endpoint;
  if (cutNames === undefined) return;
  const values = input as Record<string, unknown>;
  const last = pathNames(endpoint).at(-1) ?? "";
  const name = String(values[last]);
  const [before = "", after, ...more] = name.split(".");
  if (before === "" || after === undefined || more.length > 0) return;
  const names = pathNames(endpoint).map((each) => [each, values[each]]);
  const other = { ...Object.fromEntries(names), [last]: before };
  const found = await api.call(cutNames.showing, other as never).catch(undefinedOn("notFound"));
  if (found === undefined) return;
  throw new Failure("refused", `could not ${uncapitalize(endpoint.summary)}`, {
    code: "name_cut",
    reason: `${before} exists too, and some releases change it in place of ${name}`,
    hint: cutNames.instead,
    nothing: "sent",
    retryable: false,
  });
}
