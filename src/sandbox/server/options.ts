import type { DemoTokens } from "../areas/places/tokens.ts";
import type { Store } from "../store/store.ts";
import type { FaultSpec } from "./faults.ts";

export type Tier = "free" | "premium" | "ultimate";
export type Hosting = "hosted" | "self-managed";

/** How to start a sandbox. Every field is optional; the defaults give a self-managed Ultimate instance on any free port. */
export interface SandboxOptions {
  /** TCP port; 0, the default, takes any free one. */
  readonly port?: number;
  /** Address to listen on; the default, 127.0.0.1, keeps the sandbox on this machine. */
  readonly host?: string;
  /** File that keeps the state between runs; created when missing, see {@link SandboxDataError} for what is refused. */
  readonly dataFile?: string;
  /** Milliseconds to wait before every answer. */
  readonly latencyMs?: number;
  /** Faults to inject, as specs or in the language of `parseFault`. */
  readonly faults?: readonly FaultSpec[] | string;
  readonly tier?: Tier;
  readonly hosting?: Hosting;
  /** Answers as real instances do where they differ from the documents: see docs/instances.md. */
  readonly asDeployed?: boolean;
  /** With `asDeployed`: the rows beyond which pages by number are refused; the default is 50,000. */
  readonly offsetLimit?: number;
  /** Seconds during which the settings are answered as they were before a change; 0, the default, for none. */
  readonly settingsCacheSeconds?: number;
  /** Milliseconds that limits per minute count as a minute; 60,000 unless a test is in a hurry. */
  readonly minuteMs?: number;
  readonly now?: () => Date;
  /** Receives one line for each request answered. */
  readonly log?: (line: string) => void;
}

/** A running sandbox. */
export interface Sandbox {
  /** Base address without `/api/v4`, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** Address of the container registry: the same origin. */
  readonly registryUrl: string;
  /** The name that goes with an access token, as password, at the registry's token endpoint. */
  readonly registryUser: string;
  readonly tokens: DemoTokens;
  readonly store: Store;
  /** Saves the state, ends every connection, and removes temporary files. Safe to call twice. */
  close(): Promise<void>;
}
