import { endpoint } from "../endpoint.ts";
import { entity, file, id, required, string } from "../field.ts";
import { group } from "./scope.ts";

// 2-collaboration-identity-api: Group import and export.
const access = { role: "owner" } as const;

/** What is said of work that only begins. */
const Accepted = entity("Accepted", { message: string("What the instance says") });

export const exportGroup = endpoint({
  route: "POST /groups/:group/export",
  summary: "Export a group",
  params: { group },
  returns: Accepted,
  access,
});

export const downloadGroupExport = endpoint({
  route: "GET /groups/:group/export/download",
  summary: "Download the export of a group",
  params: { group },
  returns: "bytes",
  access: {
    ...access,
    notFound: "an archive is there only once an export is done: forgectl groups export --wait",
  },
});

export const groupName = required(string("Name of the new group", { placeholder: "name", min: 1, max: 255 }));
export const groupPath = required(
  string("Its path, the last part of its address", {
    placeholder: "path",
    min: 1,
    max: 255,
    pattern: {
      test: /^(?!.*(?:\.|\.git|\.atom)$)[a-z0-9_][a-z0-9_.-]*$/i,
      words: "letters, digits, _, -, and ., not beginning with - or ., and not ending in ., .git, or .atom",
    },
  }),
);

export const importGroup = endpoint({
  route: "POST /groups/import",
  summary: "Import a group from the archive of an export",
  params: {
    name: groupName,
    path: groupPath,
    parent_id: id("Group to put it into (default none)"),
    file: required(file("Archive")),
  },
  // How the start of an import is answered is not documented.
  returns: "json",
  encoding: "multipart",
  access: {},
});
