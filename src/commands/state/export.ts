import { dirname, join } from "node:path";
import { array, boolean, entity, outcome, string, uncut } from "../../api/field.ts";
import { UsageError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { dumpState, fileOf } from "../../state/dump.ts";
import { type Exported, exportScopes } from "../../state/export.ts";
import type { Scope } from "../../state/kind.ts";
import type { View } from "../../terminal/view.ts";
import { scopeFile, scopeNames } from "../../verbs/scope-names.ts";
import { writeText } from "../../verbs/written.ts";
import { filterFlags, partial, readOnly } from "./flags.ts";

const Written = entity("StateFile", { file: uncut(), status: outcome("written, or unchanged") });

export const exportState = command({
  name: "export",
  summary: "Write the current configuration as state files",
  details:
    "Everything that apply can write, in a stable order: a plan of the result is empty. Secrets cannot be read back and are " +
    "left out. Projects must be named: --projects-file takes one per line.",
  params: {
    settings: boolean("The settings of the instance"),
    project: array(string("", { placeholder: "id|path" }), "This project", { short: "p" }),
    group: array(string("", { placeholder: "id|path" }), "This group", { short: "g" }),
    projects_file: scopeFile("project"),
    groups_file: scopeFile("group"),
    only: filterFlags.only,
    output_file: string("Write one file here; - is stdout", {
      flag: "output-file",
      short: "O",
      placeholder: "file|-",
      completes: "file",
    }),
    dir: string("Write one file each for the instance, groups, and projects below this folder", {
      placeholder: "folder",
      completes: "directory",
    }),
  },
  returns: Written,
  examples: [
    { line: "state export --settings -O instance.yaml" },
    { line: "state export --settings -g acme -p acme/storefront --dir forge" },
    { line: "state export -p acme/storefront --only protected_environments -O -", note: "to stdout" },
  ],
  related: ["state plan", "settings export"],
  async run(context, { settings, project, group, projects_file, groups_file, only, output_file: file, dir }) {
    if ((file === undefined) === (dir === undefined))
      throw new UsageError("give -O for one file, or --dir for a folder");
    const scopes: Scope[] = [
      ...(settings ? [{ at: "instance" as const, name: "" }] : []),
      ...(await scopeNames(context, group, groups_file)).map((name) => ({ at: "group" as const, name })),
      ...(await scopeNames(context, project, projects_file)).map((name) => ({ at: "project" as const, name })),
    ];
    if (scopes.length === 0) {
      throw new UsageError("export of what? Nothing was named", {
        hint: "give --settings, -g, -p, --groups-file, or --projects-file",
      });
    }
    const exported: Exported[] = [];
    for await (const each of exportScopes(context, scopes, readOnly(only))) exported.push(each);
    const unreadable = exported.flatMap(({ scope, unreadable: list }) =>
      list.map(({ kind, reason }) => `${scope.name}#${kind}: ${reason}`),
    );
    for (const line of unreadable) context.warn(`left out: ${line}`);
    const instance = context.config.baseUrl?.value ?? "";
    const fail = () => {
      if (unreadable.length === 0) return;
      throw partial(
        unreadable.length === 1 ? "one section could not be read" : `${unreadable.length} sections could not be read`,
      );
    };
    if (file === "-") {
      const bytes = new TextEncoder().encode(await dumpState(instance, exported));
      return {
        bytes: (async function* () {
          yield bytes;
          fail();
        })(),
        text: true,
      };
    }
    const files =
      file === undefined
        ? await Promise.all(
            exported.map(async (each) => ({
              path: join(dir ?? "", fileOf(each.scope)),
              text: await dumpState(instance, [each]),
            })),
          )
        : [{ path: file, text: await dumpState(instance, exported) }];
    return writtenView(await writeAll(context, files), fail);
  },
});

function writtenView(rows: object[], fail: () => void): View {
  return {
    rows,
    columns: ["file", "status"],
    until: async (printed) => {
      await printed;
      fail();
    },
  };
}

async function writeAll(context: Context, files: readonly { path: string; text: string }[]): Promise<object[]> {
  const rows: object[] = [];
  for (const { path, text } of files) {
    if (await holds(context, path, text)) rows.push({ file: path, status: "unchanged" });
    else {
      if (path.includes("/") && !context.config.dryRun) await context.files.makeFolder(dirname(path));
      rows.push({ file: path, status: await writeText(context, path, text) });
    }
  }
  return rows;
}

async function holds({ files }: Context, path: string, text: string): Promise<boolean> {
  if ((await files.facts(path))?.kind !== "file") return false;
  return new TextDecoder().decode(await files.read(path)) === text;
}
