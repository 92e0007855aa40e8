import { Failure, UsageError } from "../base/errors.ts";
import { readBoolean } from "../base/read-value.ts";
import type { Environment } from "../host.ts";
import { placeOf } from "./address.ts";
import type { Given, Guard } from "./config.ts";
import type { ChosenProfile } from "./profile.ts";
import type { Profile, ProfilesData } from "./shape.ts";
import { fromVariable } from "./sources.ts";
import type { Take } from "./strictness.ts";
import { type ProfileKey, parseSwitch } from "./values.ts";
import { mistypedGuards } from "./variables.ts";

interface Guarded {
  env: Environment;
  baseUrl: Given | undefined;
  profile: ChosenProfile | undefined;
  take: Take;
}

/**
 * The guards of all stored profiles for the current address, however address and token were given, even if none of
 * these profiles is used. The strictest applies: no variable loosens one.
 */
export function guardOf({ profiles }: ProfilesData, { env, baseUrl, profile, take }: Guarded): Guard {
  const guarding = [...profiles].filter(([name, stored]) => guards(name, stored, baseUrl, profile));
  const currentFirst = guarding.sort(([a], [b]) => Number(b === profile?.name) - Number(a === profile?.name));
  const having = (key: ProfileKey) =>
    currentFirst.filter(([, { settings }]) => isOn(settings[key])).map(([name]) => name);
  const variable = fromVariable({ env, take }, "FORGECTL_READ_ONLY", parseSwitch);
  const [readOnly] = having("read-only");
  const [mistyped] = mistypedGuards(env);
  return {
    readOnly: readOnly !== undefined ? `profile ${readOnly}` : variable?.value ? variable.source : mistyped?.[0],
    protectedBy: having("protect"),
  };
}

/** Whether a profile is for the current address; one without an address is, if it is the current one. */
function guards(name: string, { settings }: Profile, baseUrl: Given | undefined, current: ChosenProfile | undefined) {
  const own = settings["base-url"];
  if (own === undefined) return name === current?.name;
  return baseUrl !== undefined && placeOf(own) === placeOf(baseUrl.value);
}

/** A value that was written by hand and is not valid counts as on. */
function isOn(text: string | undefined): boolean {
  return text !== undefined && readBoolean(text) !== false;
}

/** `--yes=false` names a profile, and would be a yes; it is one if a profile of that name is protected. */
export function refuseNo(yesFor: string | undefined, { protectedBy }: Guard): void {
  if (yesFor === undefined || readBoolean(yesFor) !== false || protectedBy.includes(yesFor)) return;
  throw new UsageError(`--yes=${yesFor}: is not the name of a protected profile`, {
    nothing: "sent",
    hint: "leave --yes out to be asked, or add --dry-run to see the requests",
  });
}

/** The refusal of a change on a read-only instance; nothing was sent. */
export function readOnlyRefusal(what: string, source: string): Failure {
  const [, name] = /^profile (.*)$/s.exec(source) ?? [];
  return new Failure("forbidden", `${what} is refused: ${source} is read-only`, {
    code: "read_only",
    reason: "it changes something",
    nothing: "sent",
    hint:
      name === undefined
        ? `--dry-run shows the requests; without ${source} they are sent`
        : `--dry-run shows the requests; forgectl profiles unset ${name} read-only ends it`,
  });
}
