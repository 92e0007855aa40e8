import { Failure } from "../base/errors.ts";
import type { Context } from "../context.ts";
import type { DownloadRequest } from "./download-request.ts";

const beginnings = {
  zip: Buffer.from("PK"),
  gzip: Buffer.from([0x1f, 0x8b]),
};

/** A check for `DownloadRequest.verify`: a proxy's HTML page with status 200 must not be saved as an archive. */
export function isArchive(
  context: Context,
  label: string,
  kind: keyof typeof beginnings,
): NonNullable<DownloadRequest["verify"]> {
  return async (file) => {
    const wanted = beginnings[kind];
    for await (const chunk of context.files.stream(file)) {
      if (wanted.equals(chunk.subarray(0, wanted.length))) return;
      break;
    }
    throw new Failure("integrity", `${label}: the content is not a ${kind} file`, {
      code: "bad_archive",
      hint: "check that the base URL is the instance's address: forgectl auth status",
    });
  };
}
