import { Failure } from "../../base/errors.ts";
import { tokenVariable } from "../../config/credential.ts";
import { inJob } from "../../config/profile.ts";
import { type Check, type Finding, ok, warn } from "./checks.ts";
import type { Subject } from "./subject.ts";

/** The source of the token, before anything is sent. */
export function signInChecks(subject: Subject): Check[] {
  return [
    {
      name: "keyring",
      hint: "unlock the keyring, or set FORGECTL_TOKEN",
      run: () => checkKeyring(subject),
    },
    {
      name: "credential",
      hint: "forgectl auth login, or set FORGECTL_TOKEN; run a token-command by itself to see its error",
      run: (signal) => checkCredential(subject, signal),
    },
  ];
}

async function checkKeyring({ config, context, stored }: Subject): Promise<Finding> {
  const usesCommand = stored?.settings["token-command"] !== undefined;
  const needed = stored?.token?.storage === "keyring" && !usesCommand;
  try {
    await config.secrets.requireKeyring();
    return ok("available");
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (!needed) {
      const variable = tokenVariable(context.env);
      if (variable !== undefined) return ok(`none on this machine; not needed: ${variable} has the token`);
      if (usesCommand) return ok("none on this machine; not needed: a token-command gives the token");
      if (inJob(context.env)) return ok("none on this machine; not needed in a CI job");
      return warn(
        "none on this machine: auth login can store a token only in a file that only you can read",
        "unlock or install a keyring (Secret Service), or use auth login with --insecure-storage or --token-command",
      );
    }
    const detail = `not available: ${error.details.reason ?? error.message}`;
    const hint = "unlock the keyring, or set FORGECTL_TOKEN, or store a token again with forgectl auth login";
    return { result: "fail", exit: "unauthenticated", detail, hint };
  }
}

async function checkCredential(subject: Subject, signal: AbortSignal): Promise<Finding> {
  const { config, stored, offline, context } = subject;
  const isFirst = config.profile?.source === "--profile" || tokenVariable(context.env) === undefined;
  if (offline && isFirst && stored?.settings["token-command"] !== undefined) {
    // The command may access the network.
    return { result: "skipped", detail: "--offline: the profile's token-command is not run" };
  }
  const credential = await config.credential(signal);
  subject.credential = credential;
  if (credential !== undefined) {
    const kind = credential.kind === "job" ? "a job token" : "an access token";
    return ok(`${kind} (${credential.source})`);
  }
  const reason = await config.whyNoCredential();
  const hint = "forgectl auth login, or set FORGECTL_TOKEN";
  return { result: "fail", exit: "unauthenticated", detail: reason ?? "no token is configured", hint };
}
