import { entity, oneOf, uncut } from "../../../api/field.ts";
import type { Tones } from "../../../base/tone.ts";
import type { Context } from "../../../context.ts";
import { placeName } from "../../../declare/place-name.ts";
import { concurrently } from "../../../jobs/concurrently.ts";
import type { View } from "../../../terminal/view.ts";
import { reads } from "./endpoints.ts";
import { Exam, verdicts } from "./exam.ts";

const tones: Tones = {
  ...({ as_documented: "good", known_difference: "doubtful", differs: "bad" } as const),
  ...({ not_offered: "quiet", not_tried: "quiet" } as const),
};

const EndpointVerdict = entity("EndpointVerdict", {
  endpoint: uncut("Method and route"),
  verdict: oneOf(verdicts, "known_difference: a row of docs/instances.md", { tones }),
  detail: uncut("Names of fields and statuses; no values of the instance"),
});

/** A few requests at a time: an instance should not notice. */
const maxAtOnce = 4;

/** Asks the instance every GET once, and compares the answers with the documents. */
export async function examineApi(
  context: Context,
  { project, group }: { project?: string | undefined; group?: string | undefined },
): Promise<View> {
  const { config } = context;
  const credential = await config.credential();
  const place = (typed: string | undefined, scope: "project" | "group") => {
    const given = typed ?? config[scope]?.value;
    return given === undefined ? undefined : placeName(given, scope, `--${scope}`, config);
  };
  // One request a row: what fails is a row, not a reason to ask again.
  const exam = new Exam(context.connect({ ...config, retries: 0 }), {
    project: place(project, "project"),
    group: place(group, "group"),
    isJob: credential?.kind === "job",
  });
  const counts = new Map<string, number>();
  return {
    rows: rows(context, exam, counts),
    columns: ["endpoint", "verdict", "detail"],
    entity: EndpointVerdict,
    validIfPartial: true,
    finishes: false,
    until: async (printed) => {
      await printed;
      context.notice(verdicts.map((name) => `${counts.get(name) ?? 0} ${name}`).join(", "));
    },
  };
}

async function* rows(context: Context, exam: Exam, counts: Map<string, number>): AsyncGenerator<object> {
  const task = context.progress.start("examining", { total: reads.length });
  const limit = Math.min(maxAtOnce, context.config.concurrency);
  const act = async (endpoint: (typeof reads)[number]) => ({ endpoint, ...(await exam.ask(endpoint)) });
  let done = 0;
  try {
    for await (const { endpoint, verdict, detail } of concurrently(reads, act, { limit, ordered: true })) {
      counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
      task.update(++done);
      yield { endpoint: endpoint.route, verdict, detail };
    }
  } finally {
    task.stop();
  }
}
