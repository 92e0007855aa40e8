import { Failure } from "../../base/errors.ts";
import { type Finding, failed } from "./checks.ts";
import type { Subject } from "./subject.ts";

/**
 * The finding of a check of the API. If it fails over plain http, it is asked whether the port speaks TLS: servers then
 * close the connection, or answer 400.
 */
export async function withScheme(subject: Subject, hint: string, check: () => Promise<Finding>): Promise<Finding> {
  const finding = await check().catch((error: unknown) => {
    if (error instanceof Failure && error.exit !== "interrupted") return failed(error, hint);
    throw error;
  });
  const { baseUrl } = subject.config;
  if (finding.result !== "fail" || !baseUrl?.value.startsWith("http:")) return finding;
  const secure = { ...baseUrl, value: baseUrl.value.replace(/^http:/, "https:") };
  const { certificate } = await subject.context.connect({ ...subject.config, retries: 0, baseUrl: secure }).probe();
  if (certificate === undefined) return finding;
  const detail = `${finding.detail}; the port answers with TLS, and the base URL says http`;
  return { ...finding, detail, hint: `try https: set ${secure.value} as the base URL` };
}
