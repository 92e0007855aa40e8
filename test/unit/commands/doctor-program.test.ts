import { expect, test } from "vitest";
import { programChecks } from "../../../src/commands/doctor/program.ts";
import type { Subject } from "../../../src/commands/doctor/subject.ts";
import { contextFor } from "../../support/context.ts";

/** What doctor says of completions for a shell, if a package has put a script for it where all users have it. */
async function completions(shell: string, packaged: string[]) {
  const context = contextFor("http://127.0.0.1:1", { env: { SHELL: shell } });
  const { facts } = context.files;
  const withPackage = async (path: string) =>
    packaged.includes(path) ? { ...(await facts("/etc/passwd")), kind: "file" } : facts(path);
  Object.assign(context, { home: context.folder, files: { ...context.files, facts: withPackage } });
  const check = programChecks({ context } as unknown as Subject).find(({ name }) => name === "completions");
  return check?.run({} as never);
}

test.each([
  ["/bin/bash", "/usr/share/bash-completion/completions/forgectl"],
  ["/usr/bin/zsh", "/usr/share/zsh/vendor-completions/_forgectl"],
  ["/usr/bin/fish", "/usr/share/fish/vendor_completions.d/forgectl.fish"],
])(
  "%s has the completions that a package installed: doctor does not say to install them again",
  async (shell, path) => {
    const name = shell.split("/").at(-1);
    expect(await completions(shell, [path])).toEqual({
      result: "ok",
      detail: `installed for ${name} by a package: ${path}`,
    });
    expect(await completions(shell, [])).toMatchObject({ result: "ok", hint: "forgectl completion install" });
  },
);

test("PowerShell has no folder for packages", async () => {
  expect(await completions("/usr/bin/pwsh", [])).toMatchObject({ hint: "forgectl completion install" });
});
