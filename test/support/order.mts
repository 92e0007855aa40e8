import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files and folders that take long, the longest first, as the list at the end of `.ci/run` has them. */
const long = [
  "test/package/",
  "test/e2e/disturbed-jobs",
  "test/ci/runner",
  "test/e2e/examples",
  "test/e2e/output-schemas",
  "test/tty/",
  "test/unit/config/lock",
  "test/docs/pages",
  "test/e2e/extract-killed",
  "test/state/disturbed",
  "test/e2e/lagging-reads",
  "test/e2e/",
];

/**
 * The longest files first, so that no core is idle at the end while a file that started late still runs. The runner
 * knows how long files took from an earlier run; a clean clone has none, and the largest files are not the longest.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const path = relative(this.ctx.config.root, moduleId).replaceAll("\\", "/");
      const place = long.findIndex((prefix) => path.startsWith(prefix));
      return place < 0 ? long.length : place;
    };
    const known = await super.sort(files);
    return known.sort((a, b) => rank(a) - rank(b));
  }
}
