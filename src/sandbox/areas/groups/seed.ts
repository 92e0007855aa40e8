import { groups } from "../../store/model.ts";
import { createRandom } from "../../store/random.ts";
import { daysAgo } from "../../store/time.ts";
import type { World } from "../../store/world.ts";
import { groupParts, type Relation } from "./parts.ts";

const labels: readonly (readonly [title: string, color: string, description: string])[] = [
  ["bug", "#d9534f", "Something does not work"],
  ["feature", "#5cb85c", "Something new"],
  ["security", "#8e44ad", "Handle with care"],
  ["documentation", "#428bca", ""],
  ["blocked", "#333333", "Waits for somebody else"],
  ["good first issue", "#f0ad4e", "A place to begin — für alle"],
];

const pages: readonly (readonly [slug: string, content: string])[] = [
  ["home", "# Welcome\n\nStart with [[onboarding]].\n"],
  ["onboarding", "# Onboarding\n\n1. Ask for access.\n2. Read the handbook.\n"],
];

/** Milestones, boards, labels, badges, and wiki pages of every demo group. */
export function seedGroupParts(world: World): void {
  const random = createRandom(1_618_033);
  const now = world.now();
  for (const { id, full_path } of world.store.table(groups).all()) {
    for (let version = 1; version <= 2 + random.below(3); version += 1) addMilestone(world, id, version);
    for (const [title, color, description] of labels) {
      if (random.percent(70)) add(world, id, "labels", { title, color, description, type: "GroupLabel" });
    }
    const lists = ["To do", "Doing"].map((title, position) => ({ title, position }));
    add(world, id, "boards", { name: "Development", created_at: daysAgo(now, 300 + id), lists });
    const link_url = `https://acme.example/${full_path}`;
    add(world, id, "badges", { name: "status", link_url, image_url: `${link_url}/status.svg`, type: "GroupBadge" });
    for (const [slug, content] of pages) add(world, id, "wikis", { slug, format: "markdown", content });
  }
}

/** Numbered by version; the later ones are still open. */
export function addMilestone(world: World, groupId: number, version: number): void {
  const now = world.now();
  add(world, groupId, "milestones", {
    iid: version,
    title: `1.${version}`,
    description: `Everything that goes into 1.${version}.`,
    state: version < 3 ? "closed" : "active",
    start_date: daysAgo(now, 200 - version * 40).slice(0, 10),
    due_date: daysAgo(now, 160 - version * 40).slice(0, 10),
    created_at: daysAgo(now, 210 - version * 40),
  });
}

function add(world: World, group_id: number, relation: Relation, attributes: Record<string, unknown>): void {
  world.store.table(groupParts).insert({ group_id, relation, attributes });
}
