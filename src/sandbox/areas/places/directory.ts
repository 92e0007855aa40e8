import type { Area } from "../../server/router.ts";
import { type Scope, tokens } from "../../store/model.ts";
import { daysAgo } from "../../store/time.ts";
import type { World } from "../../store/world.ts";
import { people, seedPeople } from "./people.ts";
import { seedPlaces } from "./seed.ts";
import { demoTokens } from "./tokens.ts";

/** The demo users, groups, and projects, which all other areas refer to. It has no routes. */
export const directoryArea: Area = {
  name: "directory",
  seed(world) {
    seedPeople(world);
    seedPlaces(world);
    seedTokens(world);
  },
  routes() {},
};

function seedTokens(world: World): void {
  const add = (
    token: string,
    user_id: number,
    given: {
      scopes?: readonly Scope[];
      permissions?: readonly string[];
      expires_at?: string;
      revoked?: boolean;
    },
  ) =>
    world.store.table(tokens).insert({
      token,
      name: "Sandbox",
      kind: "personal",
      user_id,
      scopes: ["api"],
      expires_at: null,
      revoked: false,
      project_id: null,
      job_id: null,
      ...given,
    });
  add(demoTokens.administrator, people.root, {});
  for (const name of [
    "owner",
    "maintainer",
    "developer",
    "planner",
    "reporter",
    "guest",
    "outsider",
    "blocked",
  ] as const) {
    add(demoTokens[name], people[name], {});
  }
  add(demoTokens.readApi, people.developer, { scopes: ["read_api"] });
  add(demoTokens.readUser, people.developer, { scopes: ["read_user"] });
  add(demoTokens.readRepository, people.developer, { scopes: ["read_repository"] });
  add(demoTokens.granular, people.developer, {
    scopes: ["granular"],
    permissions: ["Project: Read", "Container Repository: Read"],
  });
  add(demoTokens.expired, people.developer, { expires_at: daysAgo(world.now(), 10) });
  add(demoTokens.revoked, people.developer, { revoked: true });
  world.store.table(tokens).insert({
    token: demoTokens.jobToken,
    kind: "job",
    user_id: people.developer,
    scopes: ["api"],
    expires_at: null,
    revoked: false,
    project_id: 7,
    job_id: 1001,
  });
}
