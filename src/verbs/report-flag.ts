import { array, string } from "../api/field.ts";
import { UsageError } from "../base/errors.ts";
import { notOneOf } from "../base/not-one-of.ts";
import type { Context } from "../context.ts";
import { checkOutputFile } from "./output-file.ts";

// `--report <form>=<file>`: results in the forms that the pages of a merge request show.

export type ReportForm = "terraform" | "codequality" | "sarif";

/** A report to write. */
export interface Report<F extends ReportForm = ReportForm> {
  readonly form: F;
  readonly file: string;
}

export function reportFlag(forms: readonly ReportForm[]) {
  return array(string("", { placeholder: "form=file" }), `Write a report: ${forms.join(" or ")}`, { writes: "value" });
}

/** Checked before anything is sent. */
export async function readReports<F extends ReportForm>(
  context: Context,
  given: readonly string[] | undefined,
  forms: readonly F[],
): Promise<Report<F>[]> {
  const reports: Report<F>[] = [];
  for (const text of given ?? []) {
    const at = text.indexOf("=");
    const [form, file] = at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
    const known = forms.find((each) => each === form);
    if (known === undefined) throw notOneOf({ label: "--report", text: form, allowed: forms });
    if (file === "") throw new UsageError(`--report ${form}: missing =<file>`);
    await checkOutputFile(context, file, "--report");
    reports.push({ form: known, file });
  }
  return reports;
}

/** Writes the reports, from texts without secrets, each in place of an earlier one; a dry run names them. */
export async function writeReports<F extends ReportForm>(
  context: Context,
  reports: readonly Report<F>[],
  texts: Readonly<Record<F, () => string>>,
): Promise<void> {
  for (const { form, file } of reports) {
    if (context.config.dryRun) context.notice(`${file} would be written`);
    else await context.files.write(file, texts[form]());
  }
}
