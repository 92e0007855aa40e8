import type { Command, Group } from "../declare/command.ts";

interface GroupEntry {
  name: string;
  summary: string;
  /** Loads the group's own chunk; no other is touched. */
  load(): Promise<Command | Group>;
}

/** The groups and the commands beside them, in the order of the help. */
export const groups: readonly GroupEntry[] = [
  {
    name: "auth",
    summary: "Sign in and out, and show all sign-ins",
    load: async () => (await import("./auth/index.ts")).auth,
  },
  {
    name: "profiles",
    summary: "Stored profiles: instances and connection settings",
    load: async () => (await import("./profiles/index.ts")).profiles,
  },
  {
    name: "registry",
    summary: "Container registry: repositories, tags, tokens",
    load: async () => (await import("./registry/index.ts")).registry,
  },
  {
    name: "job-token",
    summary: "Access to a project by job tokens",
    load: async () => (await import("./job-token/index.ts")).jobToken,
  },
  {
    name: "files",
    summary: "Files of repositories",
    load: async () => (await import("./files/index.ts")).files,
  },
  {
    name: "artifacts",
    summary: "Artifacts of CI/CD jobs",
    load: async () => (await import("./artifacts/index.ts")).artifacts,
  },
  {
    name: "uploads",
    summary: "Files uploaded for use in Markdown",
    load: async () => (await import("./uploads/index.ts")).uploads,
  },
  {
    name: "errors",
    summary: "Error tracking of a project",
    load: async () => (await import("./errors/index.ts")).errors,
  },
  {
    name: "envs",
    summary: "Protected environments of a project",
    load: async () => (await import("./envs/index.ts")).envs,
  },
  {
    name: "relations",
    summary: "Exports of a project's relations, for migration",
    load: async () => (await import("./relations/index.ts")).relations,
  },
  {
    name: "notes",
    summary: "Comments on issues, merge requests, snippets, and epics",
    load: async () => (await import("./notes/index.ts")).notes,
  },
  {
    name: "discussions",
    summary: "Threads on issues, snippets, and epics",
    load: async () => (await import("./discussions/index.ts")).discussions,
  },
  {
    name: "users",
    summary: "Users of the instance",
    load: async () => (await import("./users/index.ts")).users,
  },
  {
    name: "events",
    summary: "Activity of users and projects",
    load: async () => (await import("./events/index.ts")).events,
  },
  {
    name: "hooks",
    summary: "Webhooks of a group",
    load: async () => (await import("./hooks/index.ts")).hooks,
  },
  {
    name: "saml",
    summary: "SAML identities and group links of a group",
    load: async () => (await import("./saml.ts")).saml,
  },
  {
    name: "scim",
    summary: "SCIM identities of a group",
    load: async () => (await import("./scim.ts")).scim,
  },
  {
    name: "ldap",
    summary: "LDAP group links of a group",
    load: async () => (await import("./ldap.ts")).ldap,
  },
  {
    name: "projects",
    summary: "Projects of the instance",
    load: async () => (await import("./projects.ts")).projects,
  },
  {
    name: "groups",
    summary: "Groups: lists, exports, and imports",
    load: async () => (await import("./groups/index.ts")).groups,
  },
  {
    name: "settings",
    summary: "Application settings of the instance",
    load: async () => (await import("./settings/index.ts")).settings,
  },
  {
    name: "each",
    summary: "Run a command once for each project or group of a file",
    load: async () => (await import("./each.ts")).each,
  },
  {
    name: "batch",
    summary: "Run many commands in one process, several at once",
    load: async () => (await import("./batch.ts")).batch,
  },
  {
    name: "state",
    summary: "Configuration as code: one file for an instance, planned, applied, rolled back",
    load: async () => (await import("./state/index.ts")).state,
  },
  {
    name: "api",
    summary: "Send any request",
    load: async () => (await import("./api.ts")).api,
  },
  {
    name: "doctor",
    summary: "Check the configuration and the connection to the instance",
    load: async () => (await import("./doctor/index.ts")).doctor,
  },
  {
    name: "sandbox",
    summary: "An embedded platform on loopback, with demo data",
    load: async () => (await import("./sandbox.ts")).sandbox,
  },
  {
    name: "completion",
    summary: "Completion by TAB, in bash, zsh, fish, and PowerShell",
    load: async () => (await import("./completion/index.ts")).completion,
  },
  {
    name: "commands",
    summary: "Every command, for people and for programs",
    load: async () => (await import("./commands.ts")).commandsCommand(groups),
  },
];
