import { command } from "../../declare/command.ts";
import { stateSchema } from "../../state/schema.ts";

export const schema = command({
  name: "schema",
  summary: "Print the JSON Schema of state files, for editors",
  details:
    "Draft-07. Editors that know YAML schemas complete and check a file whose first line is " +
    "# yaml-language-server: $schema=./forgectl-state.schema.json",
  examples: [{ line: "state schema > forgectl-state.schema.json" }],
  related: ["state validate", "settings schema"],
  run: async () => ({ value: stateSchema() }),
});
