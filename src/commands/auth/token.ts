import { requireCredential } from "../../config/credential.ts";
import { command } from "../../declare/command.ts";
import { refuseUnknownProfile } from "../profiles/profile-view.ts";

export const token = command({
  name: "token",
  summary: "Print the current token, for other tools",
  examples: [
    { line: "auth token" },
    { line: "auth token --profile work", note: "a stored one, regardless of the environment" },
  ],
  related: ["auth status"],
  async run(context) {
    await refuseUnknownProfile(context);
    return { value: (await requireCredential(context.config)).token };
  },
});
