import { boolean, string } from "../../api/field.ts";
import { command } from "../../declare/command.ts";
import { makePlan } from "../../state/plan.ts";
import { savePlan } from "../../state/saved.ts";
import { PlanChange } from "../../state/show.ts";
import { fileFlags, filterFlags, loadDeclaration, planFlags, planOptions } from "./flags.ts";
import { planView } from "./plan-view.ts";

export const plan = command({
  name: "plan",
  summary: "Show what apply would change",
  details:
    "Reads what the files declare from the instance and compares; it sends GET only, so that a token with read_api " +
    "does. What is not in the files is not touched. A sign says what would happen: + create, ~ change, - remove, " +
    "? cannot be read or compared, and extra for entries of a declared list that --prune would remove.",
  params: {
    ...fileFlags,
    ...planFlags,
    ...filterFlags,
    save: string("Keep the plan in this file, for apply --plan", { placeholder: "plan", completes: "file" }),
    count_extra: boolean("Extra entries count as differences"),
    exit_code: boolean("Exit 10 where something would change"),
  },
  returns: PlanChange,
  examples: [
    { line: "state plan -f instance.yaml" },
    { line: "state plan -f forge --exit-code --count-extra -o table", note: "the nightly check for drift" },
    { line: "state plan -f forge --prune --save plan.json", note: "for a review, and apply --plan plan.json after it" },
  ],
  related: ["state apply", "state export", "state validate"],
  async run(context, { file, save, exit_code: exitCode = false, count_extra: countExtra = false, ...rest }) {
    const declaration = await loadDeclaration(context, file);
    const options = planOptions(rest);
    const made = await makePlan(context, declaration, options);
    if (save !== undefined) await savePlan(context, save, made, options);
    return planView(context, made, { exitCode, countExtra });
  },
});
