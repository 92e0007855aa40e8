import { stateSchema } from "../../state/files/schema.ts";
import { print } from "../../verbs/print.ts";
import { explainState } from "./explain.ts";
import { exportState } from "./export.ts";
import { history } from "./history.ts";
import { rollbackCommand } from "./rollback.ts";
import { show } from "./show.ts";
import { validateCommand } from "./validate.ts";
import { applyCommand, planCommand } from "./verbs.ts";

export const state = [
  exportState,
  validateCommand({
    group: "state",
    details:
      "Offline: a merge request needs no token. Prints problems in the files, with their positions; an error is exit 2.",
    examples: [
      { line: "state validate -f instance.yaml" },
      { line: "state validate -f forge --strict -o json" },
      { line: "state validate -f forge --report sarif=state.sarif" },
    ],
    related: ["state plan", "state schema"],
  }),
  planCommand({
    group: "state",
    summary: "Show what apply would change",
    details:
      "Compares the declared objects with the instance; it sends GET only, so a token with read_api " +
      "suffices. Anything that is not in the files is left alone. A sign shows the change: + create, ~ change, - remove, " +
      "? cannot be read or compared, and extra for entries of a declared list that --prune would remove.",
    examples: [
      { line: "state plan -f instance.yaml" },
      { line: "state plan -f forge --exit-code --count-extra -o table", note: "the nightly check for drift" },
      {
        line: "state plan -f forge --prune --save plan.json",
        note: "for a review, and apply --plan plan.json after it",
      },
      { line: "state plan -f forge -o markdown > plan.md", note: "for a note in a merge request" },
    ],
    related: ["state apply", "state export", "state validate"],
  }),
  applyCommand({
    group: "state",
    summary: "Apply files to the instance",
    details:
      "Plans, asks once, writes the differences, and checks each object before and after. Anything that the files do not declare " +
      "is left alone. A run records the previous state for state rollback. After a failure other changes " +
      "continue; running it again sends only the rest. --record writes the run as one file, with which it is undone on any " +
      "machine.",
    examples: [
      { line: "state apply -f instance.yaml --dry-run", note: "every request in order, none sent" },
      { line: "state apply -f forge --prune --yes" },
      { line: "state apply --plan plan.json --yes", note: "exactly the reviewed changes" },
      { line: "state apply -f forge --record run.ndjson --yes", note: "in a job, whose machine is temporary" },
    ],
    related: ["state plan", "state rollback", "state history"],
  }),
  rollbackCommand({
    group: "state",
    details:
      "Plans a return to the state before the run, asks, and applies it as a new run. Objects that the run created " +
      "are removed, removed ones are restored without their secrets. Objects changed since are refused (exit 6). Without a " +
      "name it undoes the newest apply that is not undone; a rollback is undone by its name. The record of a run, which " +
      "--record wrote, is enough on any machine.",
    examples: [
      { line: "state rollback --yes" },
      { line: "state rollback 20261121T164502Z-7f3a --dry-run" },
      { line: "state rollback run.ndjson --yes", note: "what a job applied, undone elsewhere" },
    ],
    related: ["state history", "state show", "state apply"],
  }),
  explainState,
  history,
  show,
  print("schema", stateSchema, {
    summary: "Print the JSON Schema of state files, for editors",
    details:
      "Draft-07. Editors that know YAML schemas complete and check a file whose first line is " +
      "# yaml-language-server: $schema=./forgectl-state.schema.json",
    examples: [{ line: "state schema > forgectl-state.schema.json" }],
    related: ["state validate", "settings schema"],
  }),
];
