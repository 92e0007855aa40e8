import { command } from "../../declare/command.ts";

export const path = command({
  name: "path",
  summary: "Print where the profiles are stored",
  details: "The file may not exist yet. FORGECTL_CONFIG_DIR names another folder.",
  examples: [{ line: "profiles path" }],
  related: ["profiles list"],
  run: async (context) => ({ value: context.config.store.path }),
});
