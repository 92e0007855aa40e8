import { entity, nullable, string, uncut } from "../../api/field.ts";
import { tokenVariable } from "../../config/credential.ts";
import { command } from "../../declare/command.ts";
import { changeProfiles, nameInForce, storedProfile, tokenPlace } from "../profiles/profile-view.ts";

const SignedOut = entity("SignedOut", {
  profile: string(),
  base_url: nullable(uncut()),
  token: string("Storage of the profile's token now: none"),
  forgotten: string("Storage before: keyring, file, command, or none"),
});

export const logout = command({
  name: "logout",
  summary: "Remove a profile's token",
  details: "The profile's other values are kept. The token itself remains valid until it is revoked on the instance.",
  returns: SignedOut,
  prints: "record",
  examples: [{ line: "auth logout" }, { line: "auth logout --profile work" }],
  related: ["auth login", "profiles remove"],
  async run(context) {
    const { store, secrets, dryRun, profile } = context.config;
    const name = nameInForce(context, undefined);
    const before = storedProfile(await store.read(), name, profile?.source);
    const place = tokenPlace(before);
    if (!dryRun) await secrets.forget(name);
    await changeProfiles(context, (data) => {
      delete data.profiles.get(name)?.settings["token-command"];
    });
    context.notice(place === "none" ? `profile ${name} has no token` : forgotten(name, place, secrets.path, dryRun));
    const variable = tokenVariable(context.env);
    if (variable !== undefined) context.warn(`${variable} is set and still used`);
    const base_url = before.settings["base-url"] ?? null;
    const record = { profile: name, base_url, token: dryRun ? place : "none", forgotten: place };
    return { record };
  },
});

function forgotten(profile: string, place: string, file: string, dryRun: boolean): string {
  const from =
    place === "file" ? `, removed from ${file}` : place === "command" ? ": its token-command is removed" : "";
  return `the token of profile ${profile} ${dryRun ? "would be" : "is"} forgotten${from}`;
}
