// The process of one trial: runs test files one after the other in the order given, stops at the first failure, and
// sends its parent a message per file. Arguments: the tree, and the files as JSON.
import { startVitest } from "vitest/node";

const [tree, files] = process.argv.slice(2);
const order = JSON.parse(files);

class InOrder {
  shard = (specifications) => specifications;
  sort = (specifications) => {
    const rank = ({ moduleId }) => order.findIndex((file) => moduleId.endsWith(file));
    return [...specifications].sort((a, b) => rank(a) - rank(b));
  };
}

const reporter = {
  onTestModuleEnd(module) {
    const [failed] = module.children.allTests("failed");
    const [error] = module.errors();
    const why = failed?.fullName ?? error?.message ?? (module.ok() ? undefined : "failed");
    process.send({ file: module.relativeModuleId, why });
  },
  onTestRunEnd(_, [error]) {
    process.send({ ended: true, why: error?.message });
  },
};

await startVitest("test", order, {
  root: tree,
  run: true,
  watch: false,
  bail: 1,
  maxWorkers: 1,
  fileParallelism: false,
  sequence: { sequencer: InOrder },
  execArgv: ["--single-threaded-gc", "--max-old-space-size=1024"],
  reporters: [reporter],
});
process.exit();
