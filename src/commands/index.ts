import type { Command, Group } from "../declare/command.ts";

interface GroupEntry {
  name: string;
  /** Its heading in the help. */
  about: "Signing in" | "Projects" | "Groups" | "Instance" | "Tools";
  summary: string;
  /** Loads only the group's own chunk. */
  load(): Promise<Command | Group>;
}

/** The groups and top-level commands, in the order of the help. */
export const groups: readonly GroupEntry[] = [
  {
    name: "auth",
    about: "Signing in",
    summary: "Sign in and out, and show all sign-ins",
    load: async () => (await import("./auth/index.ts")).auth,
  },
  {
    name: "profiles",
    about: "Signing in",
    summary: "Stored profiles: instances and connection settings",
    load: async () => (await import("./profiles/index.ts")).profiles,
  },
  {
    name: "doctor",
    about: "Signing in",
    summary: "Check the configuration and the connection to the instance",
    load: async () => (await import("./doctor/index.ts")).doctor,
  },
  {
    name: "projects",
    about: "Projects",
    summary: "Projects, by name or ID",
    load: async () => (await import("./projects.ts")).projects,
  },
  {
    name: "registry",
    about: "Projects",
    summary: "Container registry: repositories, tags, tokens",
    load: async () => (await import("./registry/index.ts")).registry,
  },
  {
    name: "job-token",
    about: "Projects",
    summary: "Access to a project by job tokens",
    load: async () => (await import("./job-token/index.ts")).jobToken,
  },
  {
    name: "files",
    about: "Projects",
    summary: "Files of repositories",
    load: async () => (await import("./files/index.ts")).files,
  },
  {
    name: "artifacts",
    about: "Projects",
    summary: "Artifacts of CI/CD jobs",
    load: async () => (await import("./artifacts/index.ts")).artifacts,
  },
  {
    name: "uploads",
    about: "Projects",
    summary: "Files uploaded for use in Markdown",
    load: async () => (await import("./uploads/index.ts")).uploads,
  },
  {
    name: "errors",
    about: "Projects",
    summary: "Error tracking of a project",
    load: async () => (await import("./errors/index.ts")).errors,
  },
  {
    name: "envs",
    about: "Projects",
    summary: "Protected environments of a project",
    load: async () => (await import("./envs/index.ts")).envs,
  },
  {
    name: "relations",
    about: "Projects",
    summary: "Exports of a project's relations, for migration",
    load: async () => (await import("./relations/index.ts")).relations,
  },
  {
    name: "notes",
    about: "Projects",
    summary: "Comments on issues, merge requests, snippets, and epics",
    load: async () => (await import("./notes/index.ts")).notes,
  },
  {
    name: "discussions",
    about: "Projects",
    summary: "Threads on issues, merge requests, snippets, and epics",
    load: async () => (await import("./discussions/index.ts")).discussions,
  },
  {
    name: "groups",
    about: "Groups",
    summary: "Groups, their exports, and their import",
    load: async () => (await import("./groups/index.ts")).groups,
  },
  {
    name: "hooks",
    about: "Groups",
    summary: "Webhooks of a group",
    load: async () => (await import("./hooks/index.ts")).hooks,
  },
  {
    name: "saml",
    about: "Groups",
    summary: "SAML identities and group links of a group",
    load: async () => (await import("./saml.ts")).saml,
  },
  {
    name: "scim",
    about: "Groups",
    summary: "SCIM identities of a group",
    load: async () => (await import("./scim.ts")).scim,
  },
  {
    name: "ldap",
    about: "Groups",
    summary: "LDAP group links of a group",
    load: async () => (await import("./ldap.ts")).ldap,
  },
  {
    name: "users",
    about: "Instance",
    summary: "Users of the instance",
    load: async () => (await import("./users/index.ts")).users,
  },
  {
    name: "events",
    about: "Instance",
    summary: "Activity of users and projects",
    load: async () => (await import("./events/index.ts")).events,
  },
  {
    name: "settings",
    about: "Instance",
    summary: "Application settings of the instance",
    load: async () => (await import("./settings/index.ts")).settings,
  },
  {
    name: "state",
    about: "Instance",
    summary: "Configuration as code: one file for an instance, planned, applied, rolled back",
    load: async () => (await import("./state/index.ts")).state,
  },
  {
    name: "audit",
    about: "Instance",
    summary: "Audit settings, users, job tokens, environments, and webhooks in one run",
    load: async () => (await import("./audit/index.ts")).audit,
  },
  {
    name: "each",
    about: "Tools",
    summary: "Run a command once for each project or group of a file",
    load: async () => (await import("./each/index.ts")).each,
  },
  {
    name: "batch",
    about: "Tools",
    summary: "Run many commands in one process, several at once",
    load: async () => (await import("./batch/index.ts")).batch,
  },
  {
    name: "api",
    about: "Tools",
    summary: "Send any request",
    load: async () => (await import("./api.ts")).api,
  },
  {
    name: "sandbox",
    about: "Tools",
    summary: "An embedded platform on loopback, with demo data",
    load: async () => (await import("./sandbox.ts")).sandbox,
  },
  {
    name: "completion",
    about: "Tools",
    summary: "Completion by TAB, in bash, zsh, fish, and PowerShell",
    load: async () => (await import("./completion/index.ts")).completion,
  },
  {
    name: "man",
    about: "Tools",
    summary: "The man page of a command",
    load: async () => (await import("./man.ts")).man,
  },
  {
    name: "guide",
    about: "Tools",
    summary: "The guides: how to sign in, find, change, automate",
    load: async () => (await import("./guide.ts")).guide,
  },
  {
    name: "skill",
    about: "Tools",
    summary: "One page for automated assistants: how to use this program safely",
    load: async () => (await import("./skill.ts")).skillCommand(groups),
  },
  {
    name: "commands",
    about: "Tools",
    summary: "Every command, for people and for programs",
    load: async () => (await import("./commands.ts")).commandsCommand(groups),
  },
];
