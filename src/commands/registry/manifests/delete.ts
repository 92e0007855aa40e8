import { deleteManifest, deleteTagReference, image, manifestType, reference } from "../../../api/endpoints/registry.ts";
import { boolean, entity, outcome, required } from "../../../api/field.ts";
import { Failure, UsageError } from "../../../base/errors.ts";
import { commandLine } from "../../../base/shell-words.ts";
import { command } from "../../../declare/command.ts";
import { confirm } from "../../../verbs/confirm.ts";
import { bearer } from "../credentials.ts";

const Deleted = entity("Deleted", { image, reference, status: outcome() });

export const deleteCommand = command({
  name: "delete",
  summary: "Delete a tag of an image in the registry itself",
  details:
    "Uses the registry's own API at --registry-url, with a token that it requests (FORGECTL_REGISTRY_USER and " +
    "FORGECTL_REGISTRY_PASSWORD). A registry without the tag_delete feature accepts only digests: a digest in the tag's " +
    "place deletes the image with all of its tags, and images for several platforms that contain it can no longer be " +
    "pulled for its platform.",
  args: { image: required(image), reference: required(reference) },
  params: { legacy: boolean("Use the older path, deprecated since release 16.4") },
  requests: [deleteManifest, deleteTagReference],
  returns: Deleted,
  prints: "record",
  examples: [
    { line: "registry manifests delete acme/storefront v1.2.0" },
    { line: "registry manifests delete acme/storefront v1.2.0 --legacy", note: "an instance before 16.4" },
  ],
  related: ["registry tags delete", "registry token"],
  async run(context, { image, reference, legacy }) {
    const byDigest = reference.startsWith("sha256:");
    if (legacy && byDigest) throw new UsageError("--legacy takes a tag, not a digest");
    if (legacy) context.warn("the path that --legacy uses is deprecated since release 16.4");
    const what = byDigest ? `image ${image}@${reference} with all of its tags` : `tag ${image}:${reference}`;
    const remark = byDigest ? "images for several platforms that contain it are broken then" : undefined;
    await confirm(context, { action: `delete ${what} in the registry`, remark });
    // A dry run sends nothing that requires a token.
    const { dryRun } = context.config;
    const signed = dryRun ? {} : { authorization: await bearer(context, `repository:${image}:delete`) };
    try {
      if (legacy) await context.api.call(deleteTagReference, { image, reference }, signed);
      else
        await context.api.call(deleteManifest, { image, reference }, { ...signed, headers: { accept: manifestType } });
    } catch (error) {
      throw error instanceof Failure ? explained(error, image, reference) : error;
    }
    return { record: { image, reference, status: "deleted" } };
  },
});

/** The meaning of a registry's refusal, and the alternative. */
function explained(error: Failure, image: string, reference: string): Failure {
  const because = (reason: string, hint: string) => error.with({ reason, hint });
  const { status, reason = "" } = error.details;
  if (status === 401 || status === 403) {
    return because(
      reason,
      `the registry user may not delete in ${image}: check FORGECTL_REGISTRY_USER and FORGECTL_REGISTRY_PASSWORD`,
    );
  }
  if (status === 405) {
    return because(
      `${reason}; this registry has deletion turned off`,
      "ask the registry's administrator to enable deletion",
    );
  }
  if (status === 400 && /\b(?:DIGEST_INVALID|UNSUPPORTED|TAG_INVALID)\b/.test(reason) && !reference.includes(":")) {
    return because(
      `${reason}; this registry deletes by digest only, not by tag: its tag_delete feature is missing or turned off`,
      `delete the tag through the platform with forgectl registry tags delete <repository-id> ${commandLine([reference])}; or, with ` +
        `all tags of the image, and out of images for several platforms that contain it, forgectl registry manifests ` +
        `delete ${commandLine([image])} sha256:<digest>`,
    );
  }
  return error;
}
