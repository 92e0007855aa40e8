import { encodedForms } from "../../api/redact.ts";
import { credentialsIn, minCredentialLength } from "../../config/environment.ts";
import type { Context } from "../../context.ts";

// The credentials that this program itself works with: they are known by their values, whatever holds them.

const known = new WeakMap<Context, Promise<readonly string[]>>();

/** Whether a text has one of them, also behind two encodings: `X=$(base64 -w0 <<< "$CI_JOB_TOKEN" | base64)`. */
export async function holdsOwnCredential(context: Context, text: string): Promise<boolean> {
  const forms = await ownCredentials(context);
  return [text, ...decodings(text)].some((each) => forms.some((form) => each.includes(form)));
}

/** Every form of the current credentials, of those in the environment, and of those in its addresses. */
function ownCredentials(context: Context): Promise<readonly string[]> {
  const found = known.get(context) ?? find(context);
  known.set(context, found);
  return found;
}

async function find({ config, env }: Context): Promise<readonly string[]> {
  const token = (await config.credential())?.token ?? "";
  const secrets = [...credentialsIn(env, "own"), ...(token.length >= minCredentialLength ? [token] : [])];
  return [...new Set(secrets.flatMap((each) => [...encodedForms(each), ...hexOf(each)]))];
}

function hexOf(text: string): string[] {
  const hex = Buffer.from(text).toString("hex");
  return [hex, hex.toUpperCase()];
}

/** What a text may be an encoding of. What is encoded in it may begin anywhere within a group of digits. */
function* decodings(text: string): Generator<string> {
  yield text.replace(/\\u([\da-f]{4})|\\x([\da-f]{2})|\\([^ux])/gi, (_, four?: string, two?: string, one = "") =>
    four === undefined && two === undefined ? one : String.fromCharCode(Number.parseInt(four ?? two ?? "", 16)),
  );
  yield text.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  for (const from of [0, 1]) yield decoded(text, /[\da-f]{16,}/gi, "hex", from);
  // A long text in base64 has line breaks.
  for (const from of [0, 1, 2, 3]) yield decoded(text.replace(/\s/g, ""), /[\w+/-]{8,}/g, "base64", from);
}

function decoded(text: string, digits: RegExp, encoding: "hex" | "base64", from: number): string {
  return text.replace(digits, (run) => Buffer.from(run.slice(from), encoding).toString("utf8"));
}
