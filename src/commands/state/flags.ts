import { array, boolean, oneOf, required, string } from "../../api/field.ts";
import { Failure, type FailureDetails, UsageError } from "../../base/errors.ts";
import { nearest } from "../../base/nearest.ts";
import type { Context } from "../../context.ts";
import { type Declaration, declare, type SingleKind } from "../../state/files/declaration.ts";
import { readStateFiles } from "../../state/files/sources.ts";
import { Findings, originText } from "../../state/finding.ts";
import { kinds } from "../../state/kinds/index.ts";
import type { PlanOptions } from "../../state/plan/plan.ts";

const source = string("", { placeholder: "file|folder|-", completes: "file" });

/** The flag that names the files, for every command that reads them. */
export const fileFlags = { file: required(array(source, "State file, or folder of them; - is stdin", { short: "f" })) };

const kindNames = kinds.map(({ name }) => name);

export const filterFlags = {
  only: array(
    string("", { placeholder: "kind,...", suggests: kindNames, commas: true }),
    `Only these kinds: ${kindNames.join(", ")}`,
  ),
  project: array(string("", { placeholder: "id|path" }), "Only this project, named as in the file", {
    short: "p",
    completes: "project",
  }),
  group: array(string("", { placeholder: "id|path" }), "Only this group, named as in the file", {
    short: "g",
    completes: "group",
  }),
};

export const planFlags = {
  prune: boolean("Remove entries that a declared list does not contain"),
  secrets: oneOf(["auto", "always", "never"], "Whether to send values that cannot be read back", { default: "auto" }),
};

export const recordFlag = {
  record: string("Write a record of the run to this file, which must not exist", {
    placeholder: "file",
    completes: "file",
    writes: "whole",
  }),
};

export const applyFlags = {
  max_delete: string("How much of a list may be removed (default 30% of a list of 10 or more, 3 of a shorter one)", {
    placeholder: "30%|n|all",
  }),
  allow_lockout: boolean("Make changes that are certain to lock the caller out"),
};

export interface Chosen {
  file?: readonly string[] | undefined;
  prune?: boolean | undefined;
  secrets?: PlanOptions["secrets"] | undefined;
  only?: readonly string[] | undefined;
  project?: readonly string[] | undefined;
  group?: readonly string[] | undefined;
}

export function planOptions({ prune = false, secrets = "auto", only, project, group }: Chosen): PlanOptions {
  return { prune, secrets, only: readOnly(only), projects: project, groups: group };
}

/** `--only hooks,allowlist`, also given several times. */
export function readOnly(only: readonly string[] | undefined): string[] | undefined {
  const names = only?.flatMap((word) => word.split(",")).map((name) => name.trim());
  const unknown = names?.find((name) => !kindNames.includes(name));
  if (unknown === undefined) return names;
  const near = nearest(unknown, kindNames);
  throw new UsageError(`--only: "${unknown}" is not a kind`, {
    hint: near === undefined ? `one of ${kindNames.join(", ")}` : `did you mean ${near}?`,
  });
}

/** The files as one declaration. Problems are one UsageError that names every position; nothing was sent. */
export async function loadDeclaration(
  context: Context,
  sources: readonly string[],
  how: { strict?: boolean; single?: SingleKind } = {},
): Promise<Declaration> {
  const findings = new Findings();
  const read = () => declare(readStateFiles(context, sources, findings), findings, how);
  const declaration = await context.unwatched(read);
  for (const finding of findings.list) {
    if (finding.severity === "warning") context.warn(sentence(finding));
  }
  const [first] = findings.errors;
  if (first !== undefined) {
    const count = findings.errors.length;
    throw new UsageError(
      count === 1 ? sentence(first) : `${count} problems with the files; the first: ${sentence(first)}`,
      {
        code: "invalid_state",
        nothing: "sent",
        ...(count > 1 && { fields: fieldsOf(findings) }),
        ...(first.hint !== null && { hint: first.hint }),
      },
    );
  }
  const { single } = how;
  // A project that the files do not have is an error of the plan.
  if (single?.scope.at === "instance" && !declaration.sections.some(({ kind }) => kind === single.kind)) {
    context.warn(`the files have no ${single.kind.name}, so nothing is compared`);
  }
  return declaration;
}

function sentence({
  file,
  line,
  path,
  message,
}: {
  file: string;
  line: number;
  path: string;
  message: string;
}): string {
  return `${originText({ file, line })}: ${path === "" ? "the file" : path} ${message}`;
}

function fieldsOf(findings: Findings): Record<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const { file, line, path, message, hint } of findings.errors) {
    const place = `${originText({ file, line })}${path === "" ? "" : ` ${path}`}`;
    fields.set(place, [...(fields.get(place) ?? []), hint === null ? message : `${message}; ${hint}`]);
  }
  return Object.fromEntries(fields);
}

/** Some scopes could not be read, or some changes were not made (exit 9). */
export function partial(
  message: string,
  details: Pick<FailureDetails, "reason" | "outcomeText" | "hint"> = {},
): Failure {
  return new Failure("partial", message, { code: "partial", ...details });
}
