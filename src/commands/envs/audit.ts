import { getProject } from "../../api/endpoints/places.ts";
import { getProtectedEnvironment, listProtectedEnvironments } from "../../api/endpoints/protected-environments.ts";
import { getUser } from "../../api/endpoints/users.ts";
import { entity, nullable, string, uncut } from "../../api/field.ts";
import { command } from "../../declare/command.ts";
import { auditFlags, auditProjects } from "../../verbs/audit.ts";
import { fleetRequests } from "../../verbs/fleet.ts";
import { releaseRequests } from "../../verbs/release.ts";
import { environmentsIn, Lookups } from "./weaknesses.ts";

const EnvironmentFinding = entity("EnvironmentFinding", {
  project: uncut("Project, as given"),
  environment: nullable(uncut()),
  finding: string("no_approval, developers_deploy, single_approver, blocked_user, or unreadable", {
    tones: { blocked_user: "bad", unreadable: "bad", "*": "doubtful" },
  }),
  detail: uncut("The rule concerned, or why something could not be read"),
});

interface Found {
  project: string;
  environment: string | null;
  finding: string;
  detail: string;
}

export const audit = command({
  name: "audit",
  summary: "Find protected environments with weak rules",
  details:
    "One row per finding: no_approval (no approval is required), developers_deploy (the rule lets every developer deploy), " +
    "single_approver (a single user can approve), blocked_user (a rule is for a blocked user), unreadable (a project, or " +
    "the user of a rule, could not be read). Where there are approval rules, required_approval_count is not looked at, " +
    "as on instances; without rules it counts before release 17, and is unreadable from then on. Where a project lets the " +
    "user who starts a deployment approve it, one approval less counts.",
  params: auditFlags("something is found"),
  requests: [
    ...fleetRequests,
    listProtectedEnvironments,
    getProtectedEnvironment,
    getProject,
    getUser,
    ...releaseRequests,
  ],
  returns: EnvironmentFinding,
  prints: "rows",
  examples: [{ line: "envs audit -g acme" }, { line: "envs audit -p acme/storefront --exit-code -o json" }],
  related: ["envs list", "envs plan"],
  async run(context, input) {
    const lookups = new Lookups(context);
    const audited = await auditProjects<Found>(context, input, {
      async inspect(project) {
        const found: Found[] = [];
        for await (const { name, weaknesses } of environmentsIn(context, project, lookups)) {
          const at = { project, environment: name };
          // What is not shown may keep several questions open.
          const unread = new Set(weaknesses.filter(({ isUnread }) => isUnread).map(({ row }) => row.detail));
          for (const { row, isUnread } of weaknesses) if (!isUnread) found.push({ ...at, ...row });
          for (const detail of unread) found.push({ ...at, finding: "unreadable", detail });
        }
        return found;
      },
      unreadable: (project, detail) => ({ project, environment: null, finding: "unreadable", detail }),
      isFound: ({ finding }) => finding !== "unreadable",
      isUnread: ({ finding }) => finding === "unreadable",
    });
    return { ...audited, columns: ["project", "environment", "finding", "detail"] };
  },
});
