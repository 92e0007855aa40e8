import { boolean, integer, string } from "../../api/field.ts";
import { UsageError } from "../../base/errors.ts";
import { command } from "../../declare/command.ts";
import { makePlan } from "../../state/plan.ts";
import { resumePlan } from "../../state/saved.ts";
import { again } from "./again.ts";
import { AppliedChange, applyView } from "./apply-view.ts";
import { applyFlags, fileFlags, filterFlags, loadDeclaration, planFlags, planOptions } from "./flags.ts";

/** Settings are cached by an instance for so long (`3-settings-api`), and a little more. */
const cacheSeconds = 90;

export const apply = command({
  name: "apply",
  summary: "Make the instance what the files say",
  details:
    "Plans, asks once, writes what differs, and looks at each object before and after. What the files do not declare " +
    "is not touched. A run keeps what it found, so that state rollback can bring it back. After a failure the others " +
    "go on; running it again sends only the rest.",
  params: {
    file: { ...fileFlags.file, required: false } as const,
    plan: string("Apply this saved plan in place of files", { placeholder: "plan", completes: "file" }),
    ...planFlags,
    ...applyFlags,
    ...filterFlags,
    wait: boolean("Wait until changed settings are in force: an instance caches them"),
    wait_timeout: integer("Seconds to wait at most", { placeholder: "seconds", min: 1, default: cacheSeconds }),
  },
  returns: AppliedChange,
  examples: [
    { line: "state apply -f instance.yaml --dry-run", note: "every request in order, none sent" },
    { line: "state apply -f forge --prune --yes" },
    { line: "state apply --plan plan.json --yes", note: "what a review has seen, and nothing else" },
  ],
  related: ["state plan", "state rollback", "state history"],
  async run(context, { file, plan: saved, wait = false, wait_timeout: seconds = cacheSeconds, ...rest }) {
    const guards = { maxDelete: rest.max_delete, allowLockout: rest.allow_lockout ?? false };
    const how = { ...guards, what: "apply", waitSeconds: wait ? seconds : undefined };
    if (saved !== undefined) {
      const given = [file && "-f", rest.only && "--only", rest.project && "-p", rest.group && "-g"].filter(Boolean);
      if (given.length > 0)
        throw new UsageError(`--plan says what is done: ${given.join(", ")} cannot be given with it`);
      const { plan } = await resumePlan(context, saved);
      return applyView(context, plan, { ...how, again: ["state", "apply", "--plan", saved, "--yes"] });
    }
    if (file === undefined) throw new UsageError("which files? Give -f or --plan");
    const declaration = await loadDeclaration(context, file);
    const plan = await makePlan(context, declaration, planOptions(rest));
    return applyView(context, plan, { ...how, again: again(["state", "apply"], { file, ...rest }) });
  },
});
