import { project } from "../../api/endpoints/scope.ts";
import { array, required, string } from "../../api/field.ts";

const who = string("", { placeholder: "who", completes: "who" });
const approval = string("", { placeholder: "who[=n]", completes: "who" });

export const name = required(string("Environment", { placeholder: "name", min: 1 }));
export const scoped = { project: required(project) };
export const allow = array(who, "User, group, or level that may deploy");
export const approvals = array(
  approval,
  "User, group, or level that must approve, and how many approvals (default 1)",
  {
    flag: "approval",
  },
);

/** The IDs in rules as typed: `12` and `user:4` of `12=user:4`. */
export function idsInRules(input: Readonly<Record<string, unknown>>): string[] {
  const texts = [input.allow, input.approvals, input.set_allow, input.set_approval].flat();
  return texts.flatMap((text) =>
    typeof text === "string"
      ? [...text.matchAll(/^\d+(?==)|(?:user|group):\d+(?=[+=]|$)/g)].map(([found]) => found)
      : [],
  );
}

export const grammar =
  "<who> is user:<id>, group:<id>, or level:<developer|maintainer|admin|number>; +inherited after it counts inherited " +
  "members too. A username or a group's path is looked up, and shown with its ID. " +
  "Tables show the rules as <rule-id>=<who>, approvals with =<n>: as --set-allow and --set-approval take them.";
