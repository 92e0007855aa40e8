import { resolve } from "node:path";
import { getCurrentUser } from "../../api/endpoints/users.ts";
import { boolean, entity, nullable, string, uncut } from "../../api/field.ts";
import { provesToken } from "../../api/scopes.ts";
import { Failure } from "../../base/errors.ts";
import type { Given } from "../../config/config.ts";
import { tokenVariable } from "../../config/credential.ts";
import { inJob } from "../../config/profile.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { changeProfiles, tokenPlace, warnOfKept } from "../profiles/profile-view.ts";
import { chooseInstance } from "./instance.ts";
import { roleOf } from "./role.ts";
import { type NewToken, tokenFlags, tokenSource } from "./token-source.ts";

const SignedIn = entity("SignedIn", {
  profile: string("Profile that stores it"),
  base_url: uncut(),
  user: nullable(string("Username; null if the token may not read it")),
  role: nullable(string("administrator or regular")),
  token: string("Storage of the token: keyring, file, or command"),
});

export const login = command({
  name: "login",
  summary: "Sign in: check a token, and store it with the instance's address",
  details:
    "Asks for missing values. The token is stored in the system's keyring, bound to this address: it is never sent to " +
    "another one. Without a keyring, a file that only you can read is offered. Without --profile the current " +
    "profile is used if it is for this instance, otherwise one named default.",
  params: {
    ...tokenFlags,
    insecure_storage: boolean("Store the token in a file that only you can read, instead of the keyring"),
  },
  requests: [getCurrentUser],
  returns: SignedIn,
  prints: "record",
  examples: [
    { line: "auth login --base-url https://forge.example.com", note: "asks for the token" },
    { line: "auth login --base-url https://forge.example.com --token-stdin < token.txt" },
    {
      line: "auth login --profile work --token-command 'pass show forge'",
      note: "the token stays in the password manager",
    },
  ],
  related: ["auth status", "auth logout", "profiles set"],
  async run(context, { insecure_storage: inFile = false, ...flags }) {
    const { profile, baseUrl } = await chooseInstance(context);
    const readToken = tokenSource(context, flags);
    // A token that is pasted too early must not go into a question that shows what is typed: it is asked for first.
    const early = context.prompt.available ? await readToken() : undefined;
    const insecure = flags.token_command === undefined && (inFile || (await offerFile(context)));
    const token = early ?? (await readToken());
    const user = await check(context, baseUrl, token);
    await store(context, profile, baseUrl.value, token, insecure);
    const place = await placeOf(context, profile, token, insecure);
    context.notice(`signed in to ${baseUrl.value}${user === undefined ? "" : ` as ${user.username}`}`);
    const variable = tokenVariable(context.env);
    if (variable !== undefined)
      context.warn(`${variable} is set and takes precedence, unless --profile names the profile`);
    else if (inJob(context.env))
      context.warn("in a CI job a stored profile is used only if --profile or FORGECTL_PROFILE names it");
    const who = user === undefined ? { user: null, role: null } : { user: user.username, role: roleOf(user) };
    return { record: { profile, base_url: baseUrl.value, ...who, token: place } };
  },
});

/**
 * Whether the token is stored in a file, because no keyring is available and the user agreed. Without a terminal it is
 * an error that names the ways out, before anything is read or sent.
 */
async function offerFile({ config, prompt }: Context): Promise<boolean> {
  try {
    await config.secrets.requireKeyring();
    return false;
  } catch (error) {
    if (!prompt.available || !(error instanceof Failure)) throw error;
    if (await prompt.confirm("No keyring is available: store the token in a file that only you can read?")) return true;
    throw error;
  }
}

/** Looks up the user of the token; undefined if the token is valid, but may not read its user. */
async function check(context: Context, baseUrl: Given, { token, source }: NewToken) {
  const credential = { token, kind: "access" as const, source };
  const tried = { ...context.config, baseUrl, credential: async () => credential };
  try {
    return await context.connect(tried).call(getCurrentUser, {});
  } catch (error) {
    if (error instanceof Failure && provesToken(error)) {
      context.warn(`the token is valid, but may not read its user: ${error.details.reason}`);
      return undefined;
    }
    if (!(error instanceof Failure) || error.exit !== "unauthenticated") throw error;
    throw error.with({
      exit: "unauthenticated",
      message: `${baseUrl.value} does not accept this token`,
      nothing: "stored",
      hint: "create a new access token in your settings there, with the scope api (or read_api), and copy all of it",
    });
  }
}

async function store(context: Context, profile: string, baseUrl: string, token: NewToken, insecure: boolean) {
  const { secrets, dryRun } = context.config;
  if (!dryRun) {
    if (token.command === undefined) await secrets.save(profile, baseUrl, token.token, { insecure });
    else await secrets.forget(profile);
  }
  await changeProfiles(context, (data) => {
    const present = data.profiles.get(profile) ?? { settings: {}, rest: {} };
    const { "token-command": _, ...kept } = present.settings;
    const { command } = token;
    const typed = {
      "base-url": baseUrl,
      ...typedOf(context),
      ...(command !== undefined && { "token-command": command }),
    };
    const settings = { ...kept, ...typed };
    warnOfKept(context, profile, kept, typed);
    data.profiles.set(profile, { ...present, settings });
    if (data.current === undefined || !data.profiles.has(data.current)) data.current = profile;
  });
}

/** Other connection flags that were given are stored in the profile too. */
function typedOf({ config, cwd }: Context): { "registry-url"?: string; "ca-file"?: string } {
  const { registryUrl, caFile } = config;
  return {
    ...(registryUrl?.source === "--registry-url" && { "registry-url": registryUrl.value }),
    ...(caFile?.source === "--ca-file" && { "ca-file": resolve(cwd, caFile.value) }),
  };
}

async function placeOf(context: Context, profile: string, token: NewToken, insecure: boolean): Promise<string> {
  if (context.config.dryRun) return token.command === undefined ? (insecure ? "file" : "keyring") : "command";
  const stored = (await context.config.store.read()).profiles.get(profile);
  return stored === undefined ? "none" : tokenPlace(stored);
}
