import { UsageError } from "../../base/errors.ts";

/** What an address is read without: line breaks and tabs anywhere, spaces at its ends, and all after a #. */
const lost = /[#\p{Cc}]|^ +| +$/u;

/**
 * A path with its query, as typed or as a script has put it together. Refused is what an address would be read as
 * another one with: `projects/7/uploads/..` is the project itself, and `protected_branches/fix#12` the branch `fix`.
 */
export function typedPath(path: string): string {
  const [place = ""] = path.split("?", 1);
  const other = lost.exec(path)?.[0] ?? /\\/.exec(place)?.[0];
  if (other !== undefined) {
    throw new UsageError(`the path has ${JSON.stringify(other)}, and would be read as another one`, {
      hint: `write it percent-encoded, as ${[...other].map((each) => encodeURIComponent(each)).join("")}`,
    });
  }
  const step = place.split("/").find((each) => /^(?:\.|%2e){1,2}$/i.test(each));
  if (step === undefined) return path;
  throw new UsageError(`the path has the part "${step}", and would be read as another one`, {
    hint: "no name is a dot or two: check the value that the path is made of",
  });
}
