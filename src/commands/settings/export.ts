import { getSettings } from "../../api/endpoints/settings.ts";
import { entity, outcome, string, uncut } from "../../api/field.ts";
import { isStdout } from "../../base/special-file.ts";
import { command } from "../../declare/command.ts";
import type { View } from "../../terminal/view.ts";
import { checkOutputFile, writeText } from "../../verbs/output-file.ts";
import { bytesOf } from "../../verbs/print.ts";
import { settingsFile } from "./settings-file.ts";

const Written = entity("StateFile", { file: uncut(), status: outcome() });

export const exportFile = command({
  name: "export",
  summary: "Write the current settings as a commented YAML file",
  details:
    "In alphabetical order, with default, unit, and tier as comments. Secrets are left out. Planning it at once shows no changes.",
  params: {
    output_file: string("File to write; - is stdout, and the default", {
      flag: "output-file",
      short: "O",
      placeholder: "file|-",
      completes: "file",
      writes: "whole",
    }),
  },
  requests: [getSettings],
  returns: Written,
  examples: [{ line: "settings export -O settings.yaml" }, { line: "settings export | less" }],
  related: ["settings plan", "settings validate", "state export"],
  async run(context, { output_file: file = "-" }): Promise<View> {
    if (!isStdout(file)) await checkOutputFile(context, file, "-O");
    const text = await settingsFile(await context.api.call(getSettings, {}));
    if (isStdout(file)) return { bytes: bytesOf(text), text: true };
    const status = await writeText(context, file, text);
    return { rows: [{ file, status }], columns: ["file", "status"] };
  },
});
