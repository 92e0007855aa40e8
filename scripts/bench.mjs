// `npm run bench [scenario...]`: figures are ratios within one run, because machines are noisy.
import { audit } from "./bench/audit.mjs";
import { jobs } from "./bench/jobs.mjs";
import { lists } from "./bench/lists.mjs";
import { packaged } from "./bench/package.mjs";
import { pull } from "./bench/pull.mjs";
import { startup } from "./bench/startup.mjs";
import { state } from "./bench/state.mjs";
import { transfers } from "./bench/transfers.mjs";
import { ready } from "./ready.mjs";

const scenarios = { startup, lists, transfers, state, audit, jobs, pull, package: packaged };

ready();
const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : Object.keys(scenarios)) {
  if (scenarios[name] === undefined)
    throw new Error(`no scenario ${name}; choose from ${Object.keys(scenarios).join(", ")}`);
  await scenarios[name]();
}
