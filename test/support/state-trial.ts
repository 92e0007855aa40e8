import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import type { Scope } from "../../src/state/kind.ts";
import { isWrite } from "../../src/state/plan/plan.ts";
import { addressOfChange } from "../../src/state/plan/plan-row.ts";
import { atEnd } from "./ending.ts";
import { engineFor } from "./engine.ts";
import { type Result, type Session, sandboxSession, session } from "./session.ts";
import { snapshotOf } from "./snapshot.ts";
import { stoppable } from "./stopping-proxy.ts";

/** What random states and the tests of stopped runs change. */
export const scopes: readonly Scope[] = [
  { at: "instance", name: "" },
  { at: "group", name: "acme" },
  { at: "group", name: "acme/platform" },
  { at: "project", name: "acme/storefront" },
  { at: "project", name: "acme/docs" },
];

/** How long copies of the settings are kept by an instance that caches them. */
const cacheSeconds = 60;

interface TrialOptions extends Pick<SandboxOptions, "asDeployed"> {
  /** The instance answers with a copy of its settings for a minute after a change. */
  readonly caches?: boolean;
  /** Variables of the runs. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * An instance behind a proxy that stops runs at exact requests, and the same instance without the proxy and without
 * caches: what is so on it, whatever a run says.
 */
export async function stateTrials({ asDeployed = false, caches = false, env = {} }: TrialOptions = {}) {
  // Each trial begins when the copies of the one before have expired.
  let later = 0;
  const cached = { settingsCacheSeconds: cacheSeconds, now: () => new Date(Date.now() + later) };
  const admin = await sandboxSession({ asDeployed, ...(caches && cached) });
  const { sandbox: mirror } = await sandboxSession({ asDeployed });
  const proxy = await stoppable(admin.sandbox.url);
  const restore = await snapshotOf(admin.sandbox);
  const token = admin.sandbox.tokens.administrator;

  /** A folder with this state file, on an instance as it was at the beginning. */
  const ready = (text: string): Session => {
    later += 2 * cacheSeconds * 1000;
    restore();
    const place = session({ FORGECTL_BASE_URL: proxy.url, FORGECTL_TOKEN: token, ...env });
    writeFileSync(join(place.home, "state.yaml"), text);
    const temporary = join(place.home, "tmp");
    mkdirSync(temporary);
    return { ...place, env: { ...place.env, TMPDIR: temporary } };
  };

  const engine = engineFor(mirror.url, token, { env, finally: atEnd });
  const truth = async () => {
    (await snapshotOf(admin.sandbox))(mirror.store);
    return engine;
  };

  return {
    ready,
    run: proxy.run,
    /** What is on the instance, as a state file. */
    exported: async () => (await truth()).exported(scopes),
    /** Addresses of what a plan of this file would change. */
    async open(text: string): Promise<Set<string>> {
      const { changes } = await (await truth()).plan(text);
      return new Set(changes.filter(isWrite).map(addressOfChange));
    },
  };
}

/** The rows of a run by address; settings have two, of which the one that is not done counts. */
function statusesOf({ stdout }: Pick<Result, "stdout">): Map<string, string> {
  const statuses = new Map<string, string>();
  for (const line of stdout.split("\n").filter((each) => each.endsWith("}"))) {
    const { address, status } = JSON.parse(line) as { address: string; status: string };
    const isBetter = statuses.has(address) && (status === "done" || status === "unchanged");
    if (!isBetter) statuses.set(address, status);
  }
  return statuses;
}

/** What a run leaves behind: its records, and anything temporary. */
export function textsLeftIn({ home }: Session): string[] {
  return [join(home, ".local"), join(home, ".config"), join(home, "tmp")].filter(existsSync).flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile())
      .map((path) => readFileSync(path, "utf8")),
  );
}

/** Compares what the rows of an apply say with what is still open on the instance. */
export function expectTrueRows(
  { code, stdout }: Pick<Result, "code" | "stdout">,
  { open, isWhole, words }: { open: ReadonlySet<string>; isWhole: boolean; words: string },
): void {
  if (code === 0) expect([...open], words).toEqual([]);
  for (const [address, status] of statusesOf({ stdout })) {
    // The second row of the settings is missing where the output ended before.
    const isShown = address !== "#settings" || isWhole;
    if (isShown && (status === "done" || status === "unchanged"))
      expect(open.has(address), `${words} ${address}`).toBe(false);
    // It was not done, so it is still to do.
    if (["refused", "not_tried", "skipped", "not_taken"].includes(status))
      expect(open.has(address), `${words} ${address} ${status}`).toBe(true);
    expect(status, words).not.toBe("failed");
  }
}
