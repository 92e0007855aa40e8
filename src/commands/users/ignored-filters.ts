import { booleanIn } from "../../base/answered-value.ts";
import { Failure } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";

type Values = Readonly<Record<string, unknown>>;

/** The filters whose effect a row shows, with their flags, and whether a row cannot be of their list. */
const contradicted: Readonly<
  Record<string, readonly [flag: string, isOther: (row: Values, value: unknown) => boolean]>
> = {
  active: ["--active", ({ state }) => typeof state === "string" && state !== "active"],
  blocked: ["--blocked", ({ state }) => state === "active"],
  exclude_active: ["--exclude-active", ({ state }) => state === "active"],
  external: ["--external", ({ external }) => booleanIn(external) === false],
  exclude_external: ["--exclude-external", ({ external }) => booleanIn(external) === true],
  humans: ["--humans", ({ bot }) => booleanIn(bot) === true],
  admins: ["--admins", ({ is_admin: isAdmin }) => booleanIn(isAdmin) === false],
  // An edition without auditors shows an administrator everything but this.
  auditors: ["--auditors", (row) => booleanIn(row.is_auditor) !== true && "is_admin" in row],
  skip_ldap: ["--skip-ldap", (row) => isOnlyLdap(identitiesOf(row))],
  saml_provider_id: [
    "--saml-provider-id",
    (row, value) => identitiesOf(row)?.every(({ saml_provider_id: id }) => id !== value) === true,
  ],
};

/**
 * Refuses a page with a user whom a filter excludes: an instance whose release or edition does not have the filter
 * ignores it silently (user-filters-dropped).
 */
export function refuseIgnored(input: Values, page: readonly object[]): void {
  const used = Object.entries(contradicted).filter(([name]) => input[name] !== undefined && input[name] !== false);
  for (const row of page as readonly Values[]) {
    const ignored = used.filter(([name, [, isOther]]) => isOther(row, input[name])).map(([, [flag]]) => flag);
    if (ignored.length === 0) continue;
    const names = ignored.join(", ");
    throw new Failure("partial", `the instance ignores ${names}, and lists other users too`, {
      code: "filter_ignored",
      reason: `${row.username} is listed, whom ${names} would leave out`,
      hint: `the release or the edition of the instance does not have it: leave out ${names}, and select with --jq`,
    });
  }
}

function identitiesOf({ identities }: Values): readonly Values[] | undefined {
  return Array.isArray(identities) ? identities.filter(isObject) : undefined;
}

/** A user who has an account elsewhere too is listed. */
function isOnlyLdap(identities: readonly Values[] = []): boolean {
  return identities.length > 0 && identities.every(isOfLdap);
}

function isOfLdap({ provider }: Values): boolean {
  return typeof provider === "string" && provider.startsWith("ldap");
}
