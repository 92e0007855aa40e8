import { type Command, type Group, group } from "../declare/command.ts";

interface Entry {
  readonly name: string;
  /** Its heading in the help. */
  readonly about: "Signing in" | "Projects" | "Groups" | "Instance" | "Tools";
  readonly summary: string;
}

interface GroupEntry extends Entry {
  /** Loads only the group's own chunk. */
  load(): Promise<Command | Group>;
}

/** The summary stands here only: help and completion show it without loading the chunk. */
function entry({ load, ...shown }: Entry & { load(): Promise<Command | readonly (Command | Group)[]> }): GroupEntry {
  let loaded: Promise<Command | Group> | undefined;
  const named = async () => {
    const found = await load();
    return "kind" in found ? { ...found, summary: shown.summary } : group(shown.name, shown.summary, found);
  };
  return { ...shown, load: () => (loaded ??= named()) };
}

/** The groups and top-level commands, in the order of the help. */
export const groups: readonly GroupEntry[] = [
  entry({
    name: "auth",
    about: "Signing in",
    summary: "Sign in and out, and show all sign-ins",
    load: async () => (await import("./auth/index.ts")).auth,
  }),
  entry({
    name: "profiles",
    about: "Signing in",
    summary: "Stored profiles: instances and connection settings",
    load: async () => (await import("./profiles/index.ts")).profiles,
  }),
  entry({
    name: "doctor",
    about: "Signing in",
    summary: "Check the configuration and the connection to the instance",
    load: async () => (await import("./doctor/index.ts")).doctor,
  }),
  entry({
    name: "projects",
    about: "Projects",
    summary: "Projects, by name or ID",
    load: async () => (await import("./projects.ts")).projects,
  }),
  entry({
    name: "registry",
    about: "Projects",
    summary: "Container registry: repositories, tags, tokens",
    load: async () => (await import("./registry/index.ts")).registry,
  }),
  entry({
    name: "job-token",
    about: "Projects",
    summary: "Access to a project by job tokens",
    load: async () => (await import("./job-token/index.ts")).jobToken,
  }),
  entry({
    name: "files",
    about: "Projects",
    summary: "Files of repositories",
    load: async () => (await import("./files/index.ts")).files,
  }),
  entry({
    name: "artifacts",
    about: "Projects",
    summary: "Artifacts of CI/CD jobs",
    load: async () => (await import("./artifacts/index.ts")).artifacts,
  }),
  entry({
    name: "uploads",
    about: "Projects",
    summary: "Files uploaded for use in Markdown",
    load: async () => (await import("./uploads/index.ts")).uploads,
  }),
  entry({
    name: "errors",
    about: "Projects",
    summary: "Error tracking of a project",
    load: async () => (await import("./errors/index.ts")).errors,
  }),
  entry({
    name: "envs",
    about: "Projects",
    summary: "Protected environments of a project",
    load: async () => (await import("./envs/index.ts")).envs,
  }),
  entry({
    name: "relations",
    about: "Projects",
    summary: "Exports of a project's relations, for migration",
    load: async () => (await import("./relations/index.ts")).relations,
  }),
  entry({
    name: "notes",
    about: "Projects",
    summary: "Comments on issues, merge requests, snippets, and epics",
    load: async () => (await import("./notes/index.ts")).notes,
  }),
  entry({
    name: "discussions",
    about: "Projects",
    summary: "Threads on issues, merge requests, snippets, and epics",
    load: async () => (await import("./discussions/index.ts")).discussions,
  }),
  entry({
    name: "groups",
    about: "Groups",
    summary: "Groups, their exports, and their import",
    load: async () => (await import("./groups/index.ts")).groups,
  }),
  entry({
    name: "hooks",
    about: "Groups",
    summary: "Webhooks of a group",
    load: async () => (await import("./hooks/index.ts")).hooks,
  }),
  entry({
    name: "saml",
    about: "Groups",
    summary: "SAML identities and group links of a group",
    load: async () => (await import("./saml.ts")).saml,
  }),
  entry({
    name: "scim",
    about: "Groups",
    summary: "SCIM identities of a group",
    load: async () => (await import("./scim.ts")).scim,
  }),
  entry({
    name: "ldap",
    about: "Groups",
    summary: "LDAP group links of a group",
    load: async () => (await import("./ldap.ts")).ldap,
  }),
  entry({
    name: "users",
    about: "Instance",
    summary: "Users of the instance",
    load: async () => (await import("./users/index.ts")).users,
  }),
  entry({
    name: "events",
    about: "Instance",
    summary: "Activity of users and projects",
    load: async () => (await import("./events/index.ts")).events,
  }),
  entry({
    name: "settings",
    about: "Instance",
    summary: "Application settings of the instance",
    load: async () => (await import("./settings/index.ts")).settings,
  }),
  entry({
    name: "state",
    about: "Instance",
    summary: "Configuration as code: one file for an instance, planned, applied, rolled back",
    load: async () => (await import("./state/index.ts")).state,
  }),
  entry({
    name: "audit",
    about: "Instance",
    summary: "Audit settings, users, job tokens, environments, and webhooks in one run",
    load: async () => (await import("./audit/index.ts")).audit,
  }),
  entry({
    name: "each",
    about: "Tools",
    summary: "Run a command once for each of many projects, groups, or instances",
    load: async () => (await import("./each/index.ts")).each,
  }),
  entry({
    name: "batch",
    about: "Tools",
    summary: "Run many commands in one process, several at once",
    load: async () => (await import("./batch/index.ts")).batch,
  }),
  entry({
    name: "api",
    about: "Tools",
    summary: "Send any request",
    load: async () => (await import("./api/index.ts")).api,
  }),
  entry({
    name: "sandbox",
    about: "Tools",
    summary: "An embedded platform on loopback, with demo data",
    load: async () => (await import("./sandbox.ts")).sandbox,
  }),
  entry({
    name: "completion",
    about: "Tools",
    summary: "Completion by TAB, in bash, zsh, fish, and PowerShell",
    load: async () => (await import("./completion/index.ts")).completion,
  }),
  entry({
    name: "man",
    about: "Tools",
    summary: "Show the man page of the program, a group, or a command",
    load: async () => (await import("./man.ts")).man,
  }),
  entry({
    name: "guide",
    about: "Tools",
    summary: "List the guides, or print one",
    load: async () => (await import("./guide.ts")).guide,
  }),
  entry({
    name: "skill",
    about: "Tools",
    summary: "Print one page that tells an automated assistant how to use this program",
    load: async () => (await import("./skill.ts")).skillCommand(groups),
  }),
  entry({
    name: "commands",
    about: "Tools",
    summary: "List every command, or one, with all its details in JSON",
    load: async () => (await import("./commands.ts")).commandsCommand(groups),
  }),
];
