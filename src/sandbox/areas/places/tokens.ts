/**
 * The demo access tokens, one for each role and each reason to refuse a token. They are fixed and public on purpose: a
 * sandbox listens on loopback and contains only demo data.
 */
export const demoTokens = {
  administrator: "sandbox-administrator-token",
  owner: "sandbox-owner-token",
  maintainer: "sandbox-maintainer-token",
  developer: "sandbox-developer-token",
  reporter: "sandbox-reporter-token",
  planner: "sandbox-planner-token",
  guest: "sandbox-guest-token",
  /** Signed in, member of nothing. */
  outsider: "sandbox-outsider-token",
  /** The developer with scope `read_api`. */
  readApi: "sandbox-read-api-token",
  /** The developer with scope `read_user`. */
  readUser: "sandbox-read-user-token",
  /** The developer with scope `read_repository`. */
  readRepository: "sandbox-read-repository-token",
  /** The developer's fine-grained token: it may read projects and registries. */
  granular: "sandbox-granular-token",
  expired: "sandbox-expired-token",
  revoked: "sandbox-revoked-token",
  /** A blocked user's. */
  blocked: "sandbox-blocked-token",
  /** The token of a running CI/CD job in project 7. */
  jobToken: "sandbox-job-token",
} as const;

export type DemoTokens = typeof demoTokens;

/** Credentials for the demo registry: the job's name with the job token, any other name with an access token. */
export const demoRegistry = { user: "sandbox", jobUser: "ci-registry-user" } as const;
