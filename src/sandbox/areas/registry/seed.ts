import { projects } from "../../store/model.ts";
import { createRandom, type Random } from "../../store/random.ts";
import { daysAgo } from "../../store/time.ts";
import type { World } from "../../store/world.ts";
import { type Repository, repositories, tagRules, tags } from "./model.ts";

interface Plan {
  readonly project: number;
  /** Path below the project's. */
  readonly name: string;
  /** Number of images of each kind. */
  readonly releases: number;
  readonly nightlies: number;
  readonly branches: number;
  readonly commits: number;
}

/** Repositories; the position is the id. */
const plans: readonly Plan[] = [
  { project: 1, name: "", releases: 14, nightlies: 10, branches: 4, commits: 12 },
  { project: 1, name: "preview", releases: 0, nightlies: 0, branches: 24, commits: 0 },
  { project: 2, name: "", releases: 6, nightlies: 0, branches: 2, commits: 4 },
  { project: 3, name: "", releases: 22, nightlies: 14, branches: 6, commits: 18 },
  { project: 3, name: "migrations", releases: 12, nightlies: 0, branches: 0, commits: 0 },
  { project: 4, name: "", releases: 16, nightlies: 7, branches: 3, commits: 9 },
  { project: 5, name: "runner", releases: 5, nightlies: 0, branches: 0, commits: 3 },
  { project: 6, name: "ci/build", releases: 3, nightlies: 30, branches: 0, commits: 0 },
  { project: 8, name: "ci/build", releases: 3, nightlies: 30, branches: 0, commits: 0 },
  { project: 9, name: "", releases: 9, nightlies: 0, branches: 5, commits: 6 },
  { project: 12, name: "", releases: 40, nightlies: 0, branches: 0, commits: 0 },
  { project: 7, name: "", releases: 18, nightlies: 14, branches: 8, commits: 16 },
  { project: 7, name: "worker", releases: 11, nightlies: 0, branches: 3, commits: 8 },
  { project: 7, name: "cache", releases: 0, nightlies: 0, branches: 0, commits: 0 },
  { project: 10, name: "gpu", releases: 4, nightlies: 12, branches: 0, commits: 0 },
  { project: 14, name: "", releases: 8, nightlies: 0, branches: 0, commits: 0 },
];

const topics = ["cart", "login", "search", "checkout", "theme", "i18n", "upload", "cache", "retry", "metrics"];

/** Tags that are pushed again with each new image. */
const moving = ["latest", "main", "v1"];

/** Images of several ages, some with several tags, in several projects; one project's registry is for members only. */
export function seedRegistry(world: World): void {
  const random = createRandom(271_828);
  const now = world.now();
  for (const [index, plan] of plans.entries()) {
    const repository = world.store.table(repositories).insert({
      project_id: plan.project,
      name: plan.name,
      created_at: daysAgo(now, 420 - index * 3.3),
      // A cleanup policy has started on the largest one.
      cleanup_policy_started_at: plan.nightlies > 12 ? daysAgo(now, 0.5) : null,
      deletion_requested_at: null,
      bulk_requested_at: null,
    });
    fill(world, random, repository, plan);
  }
  world.store.table(projects).update(4, { container_registry_access_level: "private" });
  seedRules(world);
}

/** Tags that real instances protect: the website's releases 1.2.x from all but owners, and 1.1.x from everybody. */
function seedRules(world: World): void {
  const project_id = 1;
  world.store.table(tagRules).insert({
    project_id,
    tag_name_pattern: "^v1\\.2\\.",
    minimum_access_level_for_push: "maintainer",
    minimum_access_level_for_delete: "owner",
  });
  world.store.table(tagRules).insert({
    project_id,
    tag_name_pattern: "^v1\\.1\\.",
    minimum_access_level_for_push: null,
    minimum_access_level_for_delete: null,
  });
}

function fill(world: World, random: Random, repository: Repository, plan: Plan): void {
  const now = world.now();
  const megabytes = 20 + random.below(180);
  const add = (names: readonly string[], days: number) => {
    const image = {
      repository_id: repository.id,
      revision: random.hex(64),
      digest: `sha256:${random.hex(64)}`,
      created_at: daysAgo(now, days),
      total_size: megabytes * 1_048_576 + random.below(9_000_000),
    };
    for (const name of names) {
      const moves = moving.includes(name) && { first_pushed_at: repository.created_at };
      world.store.table(tags).insert({ ...image, ...moves, name });
    }
  };
  for (let number = plan.releases; number > 0; number -= 1) {
    const newest = number === plan.releases ? ["v1", "latest"] : [];
    // The image of a release equals that of its commit.
    const commit = number % 4 === 0 ? [random.hex(8)] : [];
    add([`v1.${number}.0`, ...newest, ...commit], (plan.releases - number) * 20 + 2 + random.below(10) / 10);
  }
  for (let number = 1; number <= plan.nightlies; number += 1) {
    const day = daysAgo(now, number).slice(0, 10).replaceAll("-", "");
    add([`nightly-${day}`], number + 0.1);
  }
  for (let number = 0; number < plan.branches; number += 1) {
    add([`feature-${topics[number % topics.length]}-${100 + number * 7}`], 1 + number * 9 + random.below(100) / 100);
  }
  for (let number = 0; number < plan.commits; number += 1) {
    const branch = number === 0 ? ["main"] : [];
    add([...branch, random.hex(8)], 0.4 + number * 5);
  }
}
