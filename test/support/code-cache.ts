import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd } from "./ending.ts";
import { sandboxSession } from "./session.ts";

/**
 * With other flags V8 rejects the code that the build compiled, as in a package that another Node built. Since Node 24,
 * those for the sizes of memory are not among them.
 */
export const foreign = { NODE_OPTIONS: "--stack-trace-limit=11" };

/** The output of `get`. */
export const good = { code: 0, stdout: '{\n  "username": "astrid.dlamini"\n}\n', stderr: "" };

/** A user whose runs store compiled code in cache folders of their own. */
export async function storingUser() {
  const root = mkdtempSync(join(tmpdir(), "forgectl-code-"));
  atEnd(() => {
    chmodSync(root, 0o700);
    rmSync(root, { recursive: true, force: true });
  });
  const user = await sandboxSession();
  let count = 0;
  return {
    user,
    /** A path that nothing has. */
    fresh: () => join(root, String(++count)),
    /** A new cache folder, and a run that uses it. */
    caching() {
      const caches = join(root, String(++count));
      mkdirSync(caches);
      const get = (env: Readonly<Record<string, string | undefined>> = {}) =>
        user.run("users", "get", "astrid.dlamini", "-o", "json", "--fields", "username", {
          env: { ...foreign, XDG_CACHE_HOME: caches, ...env },
        });
      return { caches, get };
    },
  };
}

/** The files with compiled code in a cache folder. */
export function keptIn(root: string): string[] {
  const code = join(root, "forgectl", "code");
  const files = readdirSync(code).flatMap((version) =>
    readdirSync(join(code, version)).map((file) => join(code, version, file)),
  );
  return files.filter((file) => !file.endsWith("/index"));
}

/** Changes with every write. */
export const identitiesIn = (root: string) =>
  keptIn(root).map((file) => `${statSync(file).ino} ${statSync(file).mtimeMs}`);
