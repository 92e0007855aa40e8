import { endpoint } from "../endpoint.ts";
import { file, id, required, string } from "../field.ts";
import { group } from "./scope.ts";

// 2-collaboration-identity-api: Group import and export.
const access = { role: "owner" } as const;

export const exportGroup = endpoint({
  route: "POST /groups/:group/export",
  summary: "Export a group",
  params: { group },
  returns: "status",
  access,
});

export const downloadGroupExport = endpoint({
  route: "GET /groups/:group/export/download",
  summary: "Download the export of a group",
  params: { group },
  returns: "bytes",
  access: {
    ...access,
    notFound:
      "an archive exists only after an export is complete, on newer releases only for the user who " +
      "exported: forgectl groups export --wait",
    // What newer releases say of an archive whose file is not there yet.
    refusals: [{ says: /\bnot available yet\b/i, as: 404 }],
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
      words: "letters, digits, _, -, and ., not starting with - or ., and not ending in ., .git, or .atom",
    },
  }),
);

export const importGroup = endpoint({
  route: "POST /groups/import",
  summary: "Import a group from the archive of an export",
  params: {
    name: groupName,
    path: groupPath,
    parent_id: id("Parent group (default your own namespace)"),
    file: required(file("Archive")),
  },
  // Undocumented: instances say that they accepted it.
  returns: "status",
  encoding: "multipart",
  access: {},
});
