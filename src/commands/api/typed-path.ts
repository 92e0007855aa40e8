import type { Method } from "../../api/endpoint.ts";
import { UsageError } from "../../base/errors.ts";

/** What an address is read without: line breaks and tabs anywhere, spaces at its ends, and all after a #. */
const lost = /[#\p{Cc}]|^ +|(?<! ) +$/u;

/** The methods that change or delete the one thing that a path names. */
const ofOne: readonly Method[] = ["PUT", "PATCH", "DELETE"];

/**
 * A path with its query, as typed or as a script has put it together. Refused is what an address would be read as
 * another one with: `projects/7/uploads/..` is the project itself, as is `projects/7/$name` without a `name`, and
 * `protected_branches/fix#12` the branch `fix`.
 */
export function typedPath(path: string, method: Method): string {
  const [place = ""] = path.split("?", 1);
  const other = lost.exec(path)?.[0] ?? /\\/.exec(place)?.[0];
  if (other !== undefined) {
    throw new UsageError(`the path has ${JSON.stringify(other)}, and would be read as another one`, {
      hint: `write it percent-encoded, as ${[...other].map((each) => encodeURIComponent(each)).join("")}`,
    });
  }
  const steps = place.replace(/^(?:https?:\/\/[^/]*)?\//i, "").split("/");
  const step = steps.find((each) => /^(?:\.|%2e){1,2}$/i.test(each));
  if (step !== undefined) {
    throw new UsageError(`the path has the part "${step}", and would be read as another one`, {
      hint: "no name is a dot or two: check the value that the path is made of",
    });
  }
  // A POST adds to a list, whose path may end in a slash.
  const named = ofOne.includes(method) ? steps : method === "POST" ? steps.slice(0, -1) : [];
  if (!named.includes("")) return path;
  throw new UsageError("the path has an empty part, and would be read as another one", {
    hint: "check the value that the path is made of; if none is missing, leave out the slash",
  });
}
