import type { Api } from "../../api/types.ts";
import type { Profile } from "../../config/shape.ts";
import type { Config, Credential } from "../../config/types.ts";
import type { Context } from "../../context.ts";

/** What all checks look at, and what one of them finds for another. */
export interface Subject {
  readonly context: Context;
  readonly config: Config;
  readonly offline: boolean;
  /** The profile in force as it is stored; undefined where there is none. */
  readonly stored: Profile | undefined;
  /** The instance, over the transport that requests use, but without a second attempt. */
  readonly api: Api;
  /** The token in force, once it was found. */
  credential: Credential | undefined;
  /** Milliseconds that a connection took. */
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
  // Where the token comes from is a check of its own: a token that cannot be had must not hide that the API answers.
  const asked = { ...config, timeoutMs: limitMs, retries: 0, credential: async () => subject.credential };
  return Object.assign(subject, { api: context.connect(asked) });
}

async function storedProfile({ store, profile, problems }: Config): Promise<Profile | undefined> {
  if (profile === undefined || problems.some(({ about }) => about === "config")) return undefined;
  return (await store.read()).profiles.get(profile.value);
}

/** What a step gives, taken once however many ask for it. */
export function once<T>(step: () => Promise<T>): () => Promise<T> {
  let taken: Promise<T> | undefined;
  return () => {
    taken ??= step();
    return taken;
  };
}
