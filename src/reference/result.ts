import { type AnyEndpoint, changes } from "../api/endpoint.ts";
import type { Fields } from "../api/field.ts";
import type { Command } from "../declare/command.ts";

/** A field of a result, for programs. Its name is what `--fields` takes: `author.name` is inside `author`. */
export interface ResultField {
  name: string;
  type: string;
  /** Of a list: the type of its items. */
  items: string | null;
  nullable: boolean;
  description: string;
}

/** The fields of a command's result, those inside of others with a dotted name; null if they depend on the input. */
export function resultFields({ returns }: Command): ResultField[] | null {
  return returns === undefined ? null : fieldsOf(returns.shape, "");
}

function fieldsOf(shape: Fields, above: string): ResultField[] {
  return Object.entries(shape).flatMap(([name, field]) => {
    const { kind, item, description } = field;
    const inner = field.shape ?? item?.shape;
    const own = {
      name: above + name,
      type: kind,
      items: kind === "array" ? (item?.kind ?? "json") : null,
      nullable: field.nullable === true,
      description,
    };
    return [own, ...(inner === undefined ? [] : fieldsOf(inner, `${own.name}.`))];
  });
}

/** The exit codes that a command can end with, as far as its requests and flags tell. */
export function exitCodesOf(command: Command): number[] {
  const { requests, params, args, standalone, passThrough, verb, name, prints } = command;
  const runsOthers = passThrough || name === "batch" || name === "each";
  const sends = requests.length > 0 || !standalone || runsOthers;
  const waits = ["wait", "watch", "wait_timeout"].some((flag) => flag in params);
  const isMany = prints === "rows" && verb !== "list";
  const hasParts = isMany || requests.some(changes) || Object.values(args).some(({ kind }) => kind === "array");
  return [
    ...[0, 1, 2, 3, 4, 5, 6],
    ...(sends ? [7] : []),
    ...(waits || runsOthers || requests.some(isPrepared) ? [8] : []),
    ...(sends && (hasParts || name === "api") ? [9] : []),
    ...("exit_code" in params || runsOthers ? [10] : []),
    ...(sends ? [11] : []),
    ...[12, 70, 130],
  ];
}

/** An archive that the instance makes before it can be read, or an event that it sends again later. */
function isPrepared({ returns, path }: AnyEndpoint): boolean {
  return (returns === "bytes" && /export|artifacts/.test(path)) || path.endsWith("/resend");
}
