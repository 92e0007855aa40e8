import type { Api } from "../../api/api.ts";
import type { Config, Credential } from "../../config/config.ts";
import type { Profile } from "../../config/shape.ts";
import type { Context } from "../../context.ts";

/** What all checks examine, and what one of them finds for another. */
export interface Subject {
  readonly context: Context;
  readonly config: Config;
  readonly offline: boolean;
  /** The current profile, as stored; undefined if there is none. */
  readonly stored: Profile | undefined;
  /** The instance, over the transport that requests use, but without a second attempt. */
  readonly api: Api;
  /** The current token, once it was found. */
  credential: Credential | undefined;
  /** Milliseconds to open a connection. */
  openedMs: number | undefined;
}

/** @param limitMs the longest wait for the network */
export async function openSubject(
  context: Context,
  { limitMs, offline }: { limitMs: number; offline: boolean },
): Promise<Subject> {
  const { config } = context;
  const subject = {
    context,
    config,
    offline,
    stored: await storedProfile(config),
    credential: undefined as Credential | undefined,
    openedMs: undefined,
  };
  // The token has its own check: if it cannot be read, the API is still checked.
  const asked = {
    ...config,
    timeoutMs: limitMs,
    retries: 0,
    // Looked up by the check of the credential, which says what is wrong with it.
    credential: async () => subject.credential,
    whyNoCredential: async () => undefined,
  };
  return Object.assign(subject, { api: context.connect(asked) });
}

async function storedProfile({ store, profile, problems }: Config): Promise<Profile | undefined> {
  if (profile === undefined || problems.some(({ about }) => about === "config")) return undefined;
  return (await store.read()).profiles.get(profile.value);
}

/** Caches the result of a step, so that it runs only once. */
export function once<T>(step: () => Promise<T>): () => Promise<T> {
  let taken: Promise<T> | undefined;
  return () => {
    taken ??= step();
    return taken;
  };
}
