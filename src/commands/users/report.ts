import type { Api } from "../../api/api.ts";
import { getCurrentUser, listUsers, lockedStates, User } from "../../api/endpoints/users.ts";
import { array, boolean, entity, integer, oneOf, string } from "../../api/field.ts";
import { shorter } from "../../api/shorter-lists.ts";
import { booleanIn, notShown, timeIn } from "../../base/answered-value.ts";
import { dayMs } from "../../base/duration.ts";
import { Failure, UsageError, whenFound } from "../../base/errors.ts";
import { notOneOf } from "../../base/not-one-of.ts";
import { counted } from "../../base/wording.ts";
import { command } from "../../declare/command.ts";
import { instanceClock } from "../../verbs/instance-clock.ts";
import { requireAdministrator } from "./caller.ts";

const { id, username, name, state, email, last_activity_on, last_sign_in_at, created_at } = User.shape;

const ReportedUser = entity("ReportedUser", {
  id,
  username,
  name,
  state,
  email,
  last_activity_on,
  last_sign_in_at,
  created_at,
  reasons: array(string(), "no_two_factor, dormant, never_signed_in, external, or administrator", {
    whole: true,
    worded: (reasons) => reasons.join("; "),
  }),
});

export interface Person {
  id: number;
  username: string;
  name: string;
  state: string;
  email: string;
  bot?: boolean;
  is_admin?: boolean;
  external?: boolean;
  two_factor_enabled?: boolean;
  last_sign_in_at?: string | null;
  last_activity_on?: string | null;
  created_at: string;
}

const words = {
  no_two_factor: "without a second factor",
  dormant: "dormant",
  never_signed_in: "never signed in",
  external: "external",
  administrator: "administrators",
} as const;

export type Reason = keyof typeof words;

/** The fields that decide. */
const deciding: Readonly<Record<Reason, readonly string[]>> = {
  no_two_factor: ["two_factor_enabled"],
  dormant: ["last_activity_on", "last_sign_in_at"],
  never_signed_in: ["last_activity_on", "last_sign_in_at"],
  external: ["external"],
  administrator: ["is_admin"],
};

const allReasons = Object.keys(words) as Reason[];
/** Being external or an administrator is a finding only if it is asked for. */
const defaultReasons: readonly Reason[] = ["no_two_factor", "dormant", "never_signed_in"];
export const defaultDormantDays = 90;

export const report = command({
  name: "report",
  summary: "Report users who have no second factor, are dormant, or never signed in",
  details:
    "One row per user with the reasons that apply. --admins, --external, --two-factor, and --never-signed-in select " +
    "users as in users list: a user must match all of them. --reason selects the reasons, one of which must apply; " +
    `without it ${defaultReasons.join(", ")}. Blocked accounts and bots are left out. Deactivated accounts are not: to ` +
    "sign in activates them again. It needs an administrator: others cannot see the required fields (exit 5). If the " +
    "instance does not show a field of a user that decides, the exit code is 9.",
  params: {
    reason: string(`Reasons to report: ${allReasons.join(", ")}`, {
      placeholder: "reason,...",
      suggests: allReasons,
      commas: true,
    }),
    dormant_days: integer(`Dormant: no activity for this many days (default ${defaultDormantDays})`, {
      placeholder: "n",
      min: 1,
    }),
    two_factor: oneOf(["disabled"], "Only users without a second factor"),
    never_signed_in: boolean("Only users who never signed in"),
    external: boolean("Only external users"),
    admins: boolean("Only administrators"),
    exit_code: boolean("Exit 10 if a user is found"),
  },
  requests: [listUsers, getCurrentUser],
  returns: ReportedUser,
  prints: "rows",
  examples: [
    { line: "users report" },
    {
      line: "users report --admins --reason no_two_factor --exit-code",
      note: "administrators without a second factor",
    },
    { line: "users report --reason dormant --dormant-days 180 -o csv", note: "for an auditor" },
  ],
  related: ["users list"],
  async run(context, input) {
    const wanted = wantedReasons(input.reason);
    await requireAdministrator(context);
    const dormantMs = (input.dormant_days ?? defaultDormantDays) * dayMs;
    const required = requiredReasons(input);
    const counts = new Map<Reason, number>();
    let people = 0;
    let total = 0;
    let undecided = 0;
    const hidden = new Set<Reason>();
    async function* rows() {
      const clock = instanceClock(context);
      for await (const person of allUsers(clock.api)) {
        total += 1;
        const judged = judgedReasons(person, clock.instance().getTime() - dormantMs);
        if (required.some((reason) => judged[reason] === false)) continue;
        const open = allReasons.filter((reason) => judged[reason] === undefined);
        const missing = open.filter((reason) => wanted.has(reason) || required.includes(reason));
        if (missing.length > 0) undecided += 1;
        for (const reason of missing) hidden.add(reason);
        const reasons = allReasons.filter((reason) => judged[reason] === true && wanted.has(reason));
        if (reasons.length === 0 || required.some((reason) => open.includes(reason))) continue;
        people += 1;
        for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
        const { id, username, name, state, email, last_activity_on, last_sign_in_at, created_at } = person;
        yield { id, username, name, state, email, last_activity_on, last_sign_in_at, created_at, reasons };
      }
      if (undecided > 0) {
        const fields = [...new Set([...hidden].flatMap((reason) => deciding[reason]))];
        const reason = notShown(...fields);
        throw new Failure("partial", `${undecided} of ${total} users could not be judged`, { reason });
      }
    }
    return {
      rows: rows(),
      // What the others are found for is valid.
      validIfPartial: true,
      columns: ["id", "username", "name", "reasons", "last_activity_on", "last_sign_in_at", "state"],
      summary: () => ({
        text: people === 0 ? "no users found" : counted(people, "user"),
        counts: [...counts].sort(([, a], [, b]) => b - a).map(([reason, count]) => [words[reason], count] as const),
      }),
      exitCode: whenFound(input.exit_code, () => people > 0),
    };
  },
});

interface Selection {
  two_factor?: string | undefined;
  never_signed_in?: boolean | undefined;
  external?: boolean | undefined;
  admins?: boolean | undefined;
}

/** What must be true of a user for the flags that select users. */
function requiredReasons(input: Selection): Reason[] {
  return [
    ...(input.two_factor === undefined ? [] : ["no_two_factor" as const]),
    ...(input.never_signed_in ? ["never_signed_in" as const] : []),
    ...(input.external ? ["external" as const] : []),
    ...(input.admins ? ["administrator" as const] : []),
  ];
}

function wantedReasons(text: string | undefined): ReadonlySet<Reason> {
  if (text === undefined) return new Set(defaultReasons);
  const named = text.split(",").map((word) => word.trim());
  for (const word of named) {
    if ((allReasons as string[]).includes(word)) continue;
    if (word === "") throw new UsageError("--reason: missing <reason>");
    throw notOneOf({ label: "--reason", text: word, allowed: allReasons });
  }
  return new Set(named as Reason[]);
}

/** All who can sign in. By cursor, since its cost per page is constant. */
export async function* allUsers(api: Api): AsyncGenerator<Person> {
  const cursor = {
    pagination: "keyset",
    order_by: "id",
    sort: "asc",
    without_project_bots: true,
    // Internal accounts, such as the one of deleted users, cannot sign in.
    humans: true,
  } as const;
  // An instance may page it by numbers.
  let isWhole = true;
  const onShorter = () => {
    isWhole = false;
  };
  for await (const person of api.list(listUsers, cursor, { limit: undefined, onShorter })) {
    if (person.bot === true || lockedStates.has(String(person.state).toLowerCase())) continue;
    yield person as Person;
  }
  if (!isWhole) throw shorter();
}

/**
 * Whether each reason applies to a user; undefined where the instance does not show what decides. Users who never
 * signed in are not also dormant.
 */
export function judgedReasons(person: Person, dormantBefore: number): Record<Reason, boolean | undefined> {
  const { last_activity_on: active, last_sign_in_at: signedIn, two_factor_enabled: factor } = person;
  const seen = active ?? signedIn;
  const never = typeof seen === "string" ? false : signedIn === null ? true : undefined;
  const last = timeIn(seen);
  const isOld = last === undefined ? undefined : last < dormantBefore;
  const hasFactor = booleanIn(factor);
  return {
    no_two_factor: hasFactor === undefined ? undefined : !hasFactor,
    dormant: never === true ? false : isOld,
    never_signed_in: never,
    external: booleanIn(person.external),
    administrator: booleanIn(person.is_admin),
  };
}
