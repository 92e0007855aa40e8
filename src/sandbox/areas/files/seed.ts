import { type Project, projects, users } from "../../store/model.ts";
import { daysAgo } from "../../store/time.ts";
import type { World } from "../../store/world.ts";
import { people } from "../places/people.ts";
import { addCommit, addFile, type Person } from "./history.ts";
import { addLargeFile } from "./large-files.ts";
import { type Commit, type FileEntry, refs } from "./model.ts";
import { heroImage, type PlannedCommit, storefront } from "./storefront.ts";

const STOREFRONT = 7;

/** Gives every project a history. */
export function seedRepositories(world: World): void {
  for (const project of world.store.table(projects).all()) {
    seedHistory(world, project, project.id === STOREFRONT ? storefront : ordinary(project));
  }
  addLargeFile(world, STOREFRONT, heroImage);
}

/** A few commits that suit any project. */
function ordinary({ id, name, description, topics }: Project): PlannedCommit[] {
  const title = `# ${name}\n\n`;
  return [
    { by: "owner", days: 330 - id, message: "First commit", files: { "README.md": `${title}${description}\n` } },
    {
      by: "maintainer",
      days: 210 - id,
      message: "License, and what it is about",
      tag: "v0.1.0",
      files: {
        LICENSE: "Copyright the authors. All rights reserved.\n",
        "README.md": `${title}${description}\n\nTopics: ${topics.join(", ") || "none yet"}.\n`,
      },
    },
    {
      by: "developer",
      days: 40 + id,
      message: "Check it",
      files: { "scripts/check.sh": { executable: '#!/bin/sh\nexec grep -q "^# " README.md\n' } },
    },
    { by: "developer", days: 15, message: "Try something", branch: "experiment", files: { "NOTES.md": "Maybe.\n" } },
  ];
}

function seedHistory(world: World, project: Project, plan: readonly PlannedCommit[]): void {
  const tips = new Map<string, Commit>();
  for (const planned of plan) {
    const branch = planned.branch ?? project.default_branch;
    const by = person(world, people[planned.by]);
    const commit = addCommit(world, {
      project_id: project.id,
      parent: tips.get(branch) ?? tips.get(project.default_branch),
      author: by,
      committer: by,
      date: daysAgo(world.now(), planned.days + 0.35),
      message: planned.message,
      changes: entries(world, planned.files),
    });
    tips.set(branch, commit);
    if (planned.tag !== undefined) {
      world.store.table(refs).insert({ project_id: project.id, kind: "tag", name: planned.tag, sha: commit.sha });
    }
  }
  for (const [name, { sha }] of tips) {
    world.store.table(refs).insert({ project_id: project.id, kind: "branch", name, sha });
  }
}

function entries(world: World, files: PlannedCommit["files"]): Record<string, FileEntry | null> {
  return Object.fromEntries(
    Object.entries(files).map(([path, file]) => {
      if (file === null || typeof file === "string" || Buffer.isBuffer(file)) {
        return [path, file === null ? null : addFile(world, file)];
      }
      return [path, addFile(world, file.executable, true)];
    }),
  );
}

function person(world: World, id: number): Person {
  const user = world.store.table(users).get(id);
  if (user === undefined) throw new Error(`there is no user ${id}`);
  return { name: user.name, email: user.email };
}
