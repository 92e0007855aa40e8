import type { DemoTokens } from "../areas/places/tokens.ts";
import type { Store } from "../store/store.ts";
import type { FaultSpec } from "./faults.ts";

export type Tier = "free" | "premium" | "ultimate";
export type Hosting = "hosted" | "self-managed";

/** Options of a sandbox. All are optional; the default is a self-managed Ultimate instance on a free port. */
export interface SandboxOptions {
  /** TCP port; 0, the default, chooses a free one. */
  readonly port?: number;
  /** Address to listen on; the default, 127.0.0.1, keeps the sandbox on this machine. */
  readonly host?: string;
  /** File that stores the state between runs, created if missing; see {@link SandboxDataError} for errors. */
  readonly dataFile?: string;
  /** Milliseconds to wait before every answer. */
  readonly latencyMs?: number;
  /** Faults to inject, as specs or in the syntax of `parseFault`. */
  readonly faults?: readonly FaultSpec[] | string;
  readonly tier?: Tier;
  readonly hosting?: Hosting;
  /** Answers like real instances where they differ from the documents: see docs/instances.md. */
  readonly asDeployed?: boolean;
  /** With `asDeployed`: the row after which offset pagination is refused; the default is 50,000. */
  readonly offsetLimit?: number;
  /** Seconds for which GET returns cached settings after a change; 0, the default, for no cache. */
  readonly settingsCacheSeconds?: number;
  /** The length of a minute in rate limits, in milliseconds; 60,000 by default, shorter in tests. */
  readonly minuteMs?: number;
  readonly now?: () => Date;
  /** Receives one line for each answered request. */
  readonly log?: (line: string) => void;
}

/** A running sandbox. */
export interface Sandbox {
  /** Base address without `/api/v4`, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** Address of the container registry: the same origin. */
  readonly registryUrl: string;
  /** The user name for an access token, given as the password, at the registry's token endpoint. */
  readonly registryUser: string;
  readonly tokens: DemoTokens;
  readonly store: Store;
  /** Saves the state, closes all connections, and removes temporary files. Safe to call twice. */
  close(): Promise<void>;
}
