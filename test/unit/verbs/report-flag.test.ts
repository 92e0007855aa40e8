import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type ReportForm, readReports, reportFlag, writeReports } from "../../../src/verbs/report-flag.ts";
import { contextFor } from "../../support/context.ts";

const forms = ["terraform", "sarif"] as const;

describe("--report <form>=<file>", () => {
  test("names the forms that a command writes, and is repeatable", () => {
    expect(reportFlag(forms)).toMatchObject({
      kind: "array",
      description: "Write a report: terraform or sarif",
      item: { kind: "string", placeholder: "form=file" },
    });
  });

  test("is read with its form and its file, whose name may contain the sign again", async () => {
    const context = contextFor("http://127.0.0.1:1");
    expect(await readReports(context, undefined, forms)).toEqual([]);
    expect(await readReports(context, ["sarif=a.json", "terraform=b=c.json"], forms)).toEqual([
      { form: "sarif", file: "a.json" },
      { form: "terraform", file: "b=c.json" },
    ]);
  });

  test.each([
    ["teraform=a", '--report: must be one of terraform, sarif, not "teraform"', "did you mean terraform?"],
    ["codequality=a", '--report: must be one of terraform, sarif, not "codequality"', undefined],
    ["=a", '--report: must be one of terraform, sarif, not ""', undefined],
    ["sarif", "--report sarif: missing =<file>", undefined],
    ["sarif=", "--report sarif: missing =<file>", undefined],
  ])("%s is exit 2 before anything is sent", async (given, message, hint) => {
    const error = await readReports(contextFor("http://127.0.0.1:1"), [given], forms).catch((thrown) => thrown);
    expect(error).toMatchObject({ exit: "usage", message });
    expect(error.details.hint).toBe(hint);
  });

  test("below a file is exit 2 too; missing folders are created when it is written", async () => {
    const context = contextFor("http://127.0.0.1:1");
    writeFileSync(join(context.folder, "file"), "");
    const error = { exit: "usage", message: "--report: file is not a folder" };
    await expect(readReports(context, ["sarif=file/a.json"], forms)).rejects.toMatchObject(error);
    expect(await readReports(context, ["sarif=no/a.json"], forms)).toHaveLength(1);
  });
});

describe("reports", () => {
  const texts: Record<ReportForm, () => string> = {
    terraform: () => "plan",
    sarif: () => "findings",
    codequality: () => expect.unreachable("not requested"),
  };
  const reports = [
    { form: "terraform", file: "a.json" },
    { form: "sarif", file: "b.json" },
  ] as const;

  test("replace earlier ones", async () => {
    const context = contextFor("http://127.0.0.1:1");
    writeFileSync(join(context.folder, "a.json"), "an earlier and much longer report than the new one");
    await writeReports(context, reports, texts);
    const written = reports.map(({ file }) => readFileSync(join(context.folder, file), "utf8"));
    expect(written).toEqual(["plan", "findings"]);
    expect(context.notices).toEqual([]);
  });

  test("of a dry run are named and not written", async () => {
    const context = contextFor("http://127.0.0.1:1");
    Object.assign(context.config, { dryRun: true });
    await writeReports(context, reports, texts);
    expect(context.notices).toEqual(["a.json would be written", "b.json would be written"]);
    expect(existsSync(join(context.folder, "a.json"))).toBe(false);
  });
});
