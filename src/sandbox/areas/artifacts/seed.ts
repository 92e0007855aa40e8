import { type Project, projects } from "../../store/model.ts";
import { daysAgo } from "../../store/time.ts";
import type { World } from "../../store/world.ts";
import { noise } from "../events/noise.ts";
import { resolve } from "../files/history.ts";
import { people } from "../places/people.ts";
import { type Artifacts, type Job, jobs, type Pipeline, pipelines } from "./model.ts";

type Content = string | Buffer | { readonly executable: string };
type Files = Readonly<Record<string, Content>>;

interface PlannedJob {
  /** Fixed, because tests and documentation refer to them. */
  readonly id: number;
  readonly name: string;
  readonly stage: string;
  readonly status?: Job["status"];
  /** When it ended, in days before today, if long after the pipeline was created. */
  readonly ended?: number;
  readonly files?: Files;
  /** Days from its end until the artifacts expire; without it, they do not. */
  readonly expire?: number;
}

interface PlannedPipeline {
  readonly id: number;
  readonly ref: string;
  readonly tag?: true;
  readonly status?: Pipeline["status"];
  /** When it was created, in days before today. */
  readonly days: number;
  readonly parent?: number;
  readonly jobs: readonly PlannedJob[];
}

const page = (version: string) => `<!doctype html>\n<title>Storefront</title>\n<p>Version ${version}</p>\n`;

const build = (version: string): Files => ({
  "dist/index.html": page(version),
  "dist/app.js": `console.log(${JSON.stringify(version)});\n`,
  "dist/assets/prices in €.json": '{"currency":"EUR"}\n',
  "bin/serve": { executable: "#!/bin/sh\nexec python3 -m http.server -d dist\n" },
  VERSION: `${version}\n`,
});

const test = (covered: number): Files => ({
  "coverage/summary.json": `{"lines":${covered}}\n`,
  "junit.xml": `<testsuite name="storefront" tests="42" failures="0"/>\n`,
});

/** The pipelines of project 7. Its job 1001 is running: the demo job token is that job's. */
const storefront: readonly PlannedPipeline[] = [
  {
    id: 501,
    ref: "main",
    days: 30,
    jobs: [
      { id: 990, name: "build", stage: "build", files: build("1.0.9"), expire: 7 },
      { id: 991, name: "test", stage: "test", files: test(71), expire: 7 },
    ],
  },
  {
    id: 502,
    ref: "main",
    days: 12,
    status: "failed",
    jobs: [
      { id: 992, name: "build", stage: "build", files: build("1.1.0-broken"), expire: 30 },
      { id: 993, name: "test", stage: "test", status: "failed", files: test(12), expire: 30 },
    ],
  },
  {
    id: 503,
    ref: "main",
    days: 6,
    jobs: [
      { id: 994, name: "build", stage: "build", files: build("1.1.0"), expire: 60 },
      // Retried yesterday: newer than the jobs of the newer pipeline, which is still the latest.
      { id: 997, name: "build", stage: "build", files: build("1.1.0-again"), ended: 1, expire: 60 },
      { id: 995, name: "test", stage: "test", files: test(80), expire: 60 },
    ],
  },
  {
    id: 504,
    ref: "main",
    days: 5,
    jobs: [
      { id: 1000, name: "build", stage: "build", files: build("1.1.1"), expire: 60 },
      { id: 1002, name: "test", stage: "test", files: { ...test(83), "traces.bin": noise("traces", 1_000_000) } },
      { id: 998, name: "lint", stage: "test" },
    ],
  },
  {
    id: 505,
    ref: "main",
    days: 5,
    parent: 504,
    jobs: [
      { id: 1003, name: "build", stage: "build", files: build("1.1.1-child"), expire: 60 },
      { id: 1004, name: "package", stage: "package", files: { "storefront.bin": noise("package", 50_000) } },
    ],
  },
  {
    id: 506,
    ref: "main",
    days: 0,
    status: "running",
    jobs: [{ id: 1001, name: "deploy", stage: "deploy", status: "running" }],
  },
  {
    id: 507,
    ref: "feature/checkout",
    days: 4,
    jobs: [{ id: 1005, name: "build", stage: "build", files: build("1.2.0-checkout"), expire: 60 }],
  },
  {
    id: 508,
    ref: "v1.1.0",
    tag: true,
    days: 59,
    jobs: [{ id: 1006, name: "build", stage: "build", files: build("1.1.0"), expire: 90 }],
  },
];

/** The pipelines of every other project. */
function ordinary({ id, name }: Project): PlannedPipeline[] {
  const files = { "report.txt": `All is well in ${name}.\n` };
  return [{ id: 600 + id, ref: "main", days: 3, jobs: [{ id: 2000 + id, name: "check", stage: "test", files }] }];
}

/** Adds pipelines with jobs; the repositories must already exist. */
export function seedPipelines(world: World): void {
  for (const project of world.store.table(projects).all()) {
    for (const planned of project.id === 7 ? storefront : ordinary(project)) addPipeline(world, project, planned);
  }
}

function addPipeline(world: World, project: Project, planned: PlannedPipeline): void {
  const { id, ref, tag = false, status = "success", days, parent = null } = planned;
  const created_at = daysAgo(world.now(), days + 0.05);
  const sha = resolve(world, project, ref)?.sha;
  if (sha === undefined) throw new Error(`project ${project.id} has no ${ref}`);
  world.store
    .table(pipelines)
    .insert({ id, project_id: project.id, ref, tag, sha, status, created_at, parent_id: parent });
  for (const job of planned.jobs) addJob(world, { project_id: project.id, pipeline_id: id, created_at }, job);
}

function addJob(
  world: World,
  place: Pick<Job, "project_id" | "pipeline_id" | "created_at">,
  planned: PlannedJob,
): void {
  const { id, name, stage, status = "success", ended } = planned;
  const begun = ended === undefined ? place.created_at : daysAgo(world.now(), ended);
  const duration = status === "running" ? null : 60 + (id % 7) * 31.5;
  const finished_at = duration === null ? null : after(begun, duration);
  world.store.table(jobs).insert({
    id,
    ...place,
    name,
    stage,
    status,
    allow_failure: name === "lint",
    failure_reason: status === "failed" ? "script_failure" : null,
    started_at: begun,
    finished_at,
    duration,
    coverage: name === "test" ? 80 : null,
    user_id: people.developer,
    artifacts: planned.files === undefined ? null : keep(world, planned, planned.files, finished_at ?? begun),
  });
}

function keep(world: World, { expire }: PlannedJob, files: Files, updated_at: string): Artifacts {
  return {
    files: Object.entries(files).map(([path, content]) => {
      const plain = typeof content === "string" || Buffer.isBuffer(content);
      const blob = world.store.blobs.put(plain ? content : content.executable);
      return { path, blob: blob.id, executable: !plain };
    }),
    updated_at,
    expire_at: expire === undefined ? null : after(updated_at, expire * 86_400),
    kept: false,
    gone_at: null,
    archive: null,
  };
}

function after(time: string, seconds: number): string {
  return new Date(Date.parse(time) + seconds * 1000).toISOString();
}
