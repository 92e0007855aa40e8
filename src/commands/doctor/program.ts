import { installedFor } from "../completion/install.ts";
import { packagedPlace, shellIn } from "../completion/places.ts";
import { type Check, type Finding, ok, warn } from "./checks.ts";
import type { Subject } from "./subject.ts";

/** The oldest supported Node. */
const minNode = 20;

/** The program itself, and its platform. */
export function programChecks({ context }: Subject): Check[] {
  return [
    {
      name: "program",
      hint: `install Node ${minNode} or newer`,
      run: async () => {
        const { version, node, platform, arch } = context.program;
        const detail = `forgectl ${version}, Node ${node}, ${platform} ${arch}`;
        if (Number.parseInt(node, 10) >= minNode) return ok(detail);
        return { result: "fail", exit: "usage", detail, hint: `install Node ${minNode} or newer` };
      },
    },
    {
      name: "completions",
      hint: "forgectl completion install",
      run: async (): Promise<Finding> => {
        const shell = shellIn(context.env);
        if (shell === undefined) return { result: "skipped", detail: "SHELL does not name a supported shell" };
        const installed = await installedFor(shell, context);
        if (installed === "current") return ok(`installed for ${shell}`);
        const packaged = packagedPlace(shell);
        if (installed === "missing" && packaged && (await context.files.facts(packaged))?.kind === "file") {
          return ok(`installed for ${shell} by a package: ${packaged}`);
        }
        if (installed === "missing") {
          return ok(`not installed for ${shell} in the home folder`, "forgectl completion install");
        }
        return warn(`installed for ${shell} by another version`, "forgectl completion install");
      },
    },
  ];
}
