import { appendFileSync } from "node:fs";
import { openStore } from "../../../../src/config/store.ts";
import { nodeFiles } from "../../../../src/node/files.ts";
import { nodeHolder } from "../../../../src/node/holder.ts";

// Run as a separate process: stores profiles one after the other and records each that is stored. argv: folder, name,
// how many ("hold": takes the lock and keeps it until killed), where to record

const [folder = "", name = "", count = "1", journal = ""] = process.argv.slice(2);
const store = openStore(
  {
    files: nodeFiles("/"),
    holder: nodeHolder(),
    sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
  },
  { path: folder, foundIn: undefined },
);

async function write(): Promise<void> {
  for (let index = 0; index < Number(count); index++) {
    await store.change((data) => {
      data.profiles.set(`${name}-${index}`, { settings: { project: `${index}` }, rest: {} });
    });
    if (journal !== "") appendFileSync(journal, `${name}-${index}\n`);
  }
}

async function hold(): Promise<void> {
  await store.change(async () => {
    process.stdout.write("held\n");
    await new Promise((done) => setTimeout(done, 60_000));
  });
}

void (count === "hold" ? hold() : write());
