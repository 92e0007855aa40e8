import { Failure, undefinedOn } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { uncapitalize } from "../base/wording.ts";
import type { Api } from "./api.ts";
import { type AnyEndpoint, type ListEndpoint, pathNames } from "./endpoint.ts";
import type { Fields } from "./field.ts";

const nameCut = "name_cut";

type Reader = Pick<Api, "call" | "list">;
type Values = Readonly<Record<string, unknown>>;

/**
 * Refuses a change of an object with a dot in its name if it would be that of another one, which has the name before
 * the dot: some releases read what follows it as a format (environment-dots, link-dots). With two dots they answer 404.
 */
export async function refuseCut(api: Reader, endpoint: AnyEndpoint, input: object): Promise<void> {
  const { cutNames, method } = endpoint;
  const asked = namesOf(endpoint, input);
  if (cutNames === undefined || method === "GET" || asked === undefined) return;
  const { name, before } = asked;
  if (await mayBeOther(api, cutNames, input, asked))
    throw cutOff(endpoint, `${before} exists too, and some releases change it in place of ${name}`);
}

type Asked = NonNullable<ReturnType<typeof namesOf>>;

/** Whether the name before the dot is another object's that the change may be made of. */
async function mayBeOther(
  api: Reader,
  { showing, key, within }: NonNullable<AnyEndpoint["cutNames"]>,
  input: object,
  { before, last, places }: Asked,
): Promise<boolean> {
  const other = { ...places, [last]: before };
  if (within !== undefined) {
    const wholes = await wholesOf(api, showing, places);
    return wholes.some((whole) => hasPart(whole[within], last, before));
  }
  if (showing.page !== undefined) return isListed(api, showing, places, other);
  // The answer for this name says whether it is cut, if it has the name.
  return isShown(api, showing, key === undefined ? other : input);
}

/** Refuses the answer that is another object's, which has the name before the dot. */
export function refuseOtherName(endpoint: AnyEndpoint, input: object, answer: unknown): void {
  const { cutNames, method } = endpoint;
  const asked = namesOf(endpoint, input);
  if (cutNames?.key === undefined || method !== "GET" || asked === undefined || !isObject(answer)) return;
  if (answer[cutNames.key] !== asked.before) return;
  throw cutOff(endpoint, `the instance answers with ${asked.before} in place of ${asked.name}`);
}

/** The last name in the path, if it has one dot, and the others. */
function namesOf(endpoint: AnyEndpoint, input: object) {
  const values = input as Values;
  const names = pathNames(endpoint);
  const last = names.at(-1) ?? "";
  const name = String(values[last]);
  const [before = "", after, ...more] = name.split(".");
  if (before === "" || after === undefined || more.length > 0) return undefined;
  return { name, before, last, places: Object.fromEntries(names.slice(0, -1).map((each) => [each, values[each]])) };
}

/** Whether the object is there that a change may take for the one that was named. */
async function isShown(api: Reader, showing: AnyEndpoint, input: object): Promise<boolean> {
  try {
    await api.call(showing, input as never);
    // What shows names that it cuts has shown the right one.
    return showing.cutNames === undefined;
  } catch (error) {
    if (error instanceof Failure && error.code === nameCut) return true;
    undefinedOn("notFound")(error);
    return false;
  }
}

/** What the parts are of: an object, or the one of a list that the last place names. */
async function wholesOf(api: Reader, showing: AnyEndpoint, places: Values): Promise<Values[]> {
  try {
    if (showing.page === undefined) return [(await api.call(showing, places as never)) as Values];
    const id = Object.values(places).at(-1);
    const rows: Values[] = [];
    for await (const row of api.list(showing as ListEndpoint<never, Fields>, places as never, { limit: undefined })) {
      if (String((row as Values).id) === String(id)) rows.push(row as Values);
    }
    return rows;
  } catch (error) {
    undefinedOn("notFound")(error);
    return [];
  }
}

function hasPart(parts: unknown, key: string, name: string): boolean {
  return Array.isArray(parts) && parts.some((part) => isObject(part) && part[key] === name);
}

/** Whether a row of the list has these values, of those that it has. */
async function isListed(api: Reader, showing: AnyEndpoint, places: object, wanted: Values): Promise<boolean> {
  const rows = api.list(showing as ListEndpoint<never, Fields>, places as never, { limit: undefined });
  try {
    for await (const row of rows) {
      const values = row as Values;
      if (Object.entries(wanted).every(([name, value]) => !(name in values) || values[name] === value)) return true;
    }
  } catch (error) {
    undefinedOn("notFound")(error);
  }
  return false;
}

function cutOff({ summary, method, cutNames }: AnyEndpoint, reason: string): Failure {
  return new Failure("refused", `could not ${uncapitalize(summary)}`, {
    code: nameCut,
    reason,
    ...(cutNames !== undefined && { hint: cutNames.instead }),
    ...(method !== "GET" && { nothing: "sent" }),
    retryable: false,
  });
}
