import { getCurrentUser, listUsers, User } from "../../api/endpoints/users.ts";
import { array, boolean, entity, integer, oneOf, string } from "../../api/field.ts";
import { dayMs } from "../../base/duration.ts";
import { UsageError, whenFound } from "../../base/errors.ts";
import { notOneOf } from "../../base/not-one-of.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
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

type Reason = keyof typeof words;

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
    `without it ${defaultReasons.join(", ")}. Blocked accounts and bots are left out. It needs an administrator: ` +
    "others cannot see the required fields (exit 5).",
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
    async function* rows() {
      const now = context.now().getTime();
      for await (const person of allUsers(context)) {
        const all = reasonsOf(person, now - dormantMs);
        const reasons = all.filter((reason) => wanted.has(reason));
        if (!required.every((reason) => all.includes(reason))) continue;
        if (reasons.length === 0) continue;
        people += 1;
        for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
        const { id, username, name, state, email, last_activity_on, last_sign_in_at, created_at } = person;
        yield { id, username, name, state, email, last_activity_on, last_sign_in_at, created_at, reasons };
      }
    }
    return {
      rows: rows(),
      columns: ["id", "username", "name", "reasons", "last_activity_on", "last_sign_in_at"],
      summary: () => ({
        text: people === 0 ? "no users found" : people === 1 ? "1 user" : `${people} users`,
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

/** By cursor, since its cost per page is constant. */
export async function* allUsers(context: Context): AsyncGenerator<Person> {
  const cursor = {
    pagination: "keyset",
    order_by: "id",
    sort: "asc",
    active: true,
    without_project_bots: true,
  } as const;
  for await (const person of context.api.list(listUsers, cursor, { limit: undefined })) {
    if (person.bot !== true) yield person as Person;
  }
}

/** Unknown values are not a reason. Users who never signed in are not also dormant. */
export function reasonsOf(person: Person, dormantBefore: number): Reason[] {
  const seen = person.last_activity_on ?? person.last_sign_in_at;
  const never = person.last_sign_in_at === null && (person.last_activity_on ?? null) === null;
  const last = Date.parse(seen ?? person.created_at);
  return [
    ...(person.two_factor_enabled === false ? ["no_two_factor" as const] : []),
    ...(!never && last < dormantBefore ? ["dormant" as const] : []),
    ...(never ? ["never_signed_in" as const] : []),
    ...(person.external === true ? ["external" as const] : []),
    ...(person.is_admin === true ? ["administrator" as const] : []),
  ];
}
