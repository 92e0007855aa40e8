import { lstatSync, type Stats } from "node:fs";
import { join, parse, relative, sep } from "node:path";

/** On Windows, Node reports no owner. */
export function isOwn({ uid }: Pick<Stats, "uid">): boolean {
  const user = process.geteuid?.();
  return user === undefined || uid === user;
}

/** Neither this user's nor root's. */
export function isForeign(facts: Pick<Stats, "uid">): boolean {
  return !isOwn(facts) && facts.uid !== 0;
}

/**
 * The first part of a path below a folder that another user than this one and root made, or such a user's link on the
 * way to the folder.
 *
 * @param mustExist also one that does not exist: what was read through it a moment ago may have been anybody's
 */
export function foreignPart(path: string, folder: string, mustExist: boolean): string | undefined {
  const part = partsBelow(folder, path).find((each) => {
    const facts = factsAt(each);
    return facts === undefined ? mustExist : isForeign(facts);
  });
  return part ?? foreignLink(folder);
}

/**
 * The first part of an absolute path that is a link which another user than this one and root made. In a user
 * namespace, root's number may be another one: the one that the root folder has.
 */
export function foreignLink(path: string): string | undefined {
  const { root } = parse(path);
  const systems = factsAt(root)?.uid;
  return partsBelow(root, path).find((part) => {
    const facts = factsAt(part);
    return facts?.isSymbolicLink() === true && isForeign(facts) && facts.uid !== systems;
  });
}

function partsBelow(folder: string, path: string): string[] {
  const names = relative(folder, path).split(sep);
  return names.map((_, index) => join(folder, ...names.slice(0, index + 1)));
}

function factsAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
