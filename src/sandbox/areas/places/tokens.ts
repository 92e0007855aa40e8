/**
 * The demo access tokens, one per role and one per way a token can be refused. They are fixed and public on purpose:
 * a sandbox listens on loopback and holds nothing but demo data.
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
  expired: "sandbox-expired-token",
  revoked: "sandbox-revoked-token",
  /** Of a user who is blocked. */
  blocked: "sandbox-blocked-token",
  /** The token of a running CI/CD job in project 7. */
  jobToken: "sandbox-job-token",
} as const;

export type DemoTokens = typeof demoTokens;

/** How to sign in to the demo registry: any name but the job's with an access token, the job's with the job token. */
export const demoRegistry = { user: "sandbox", jobUser: "ci-registry-user" } as const;
