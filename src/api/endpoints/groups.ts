import { endpoint } from "../endpoint.ts";
import { entity, file, id, required, string } from "../field.ts";
import { group } from "./scope.ts";

// 2-collaboration-identity-api: Group import and export.
const access = { role: "owner" } as const;

/** The answer to a request that starts background work. */
const Accepted = entity("Accepted", { message: string("Message of the instance") });

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
    notFound:
      "an archive exists only after an export is complete, on newer releases only for the user who " +
      "exported: forgectl groups export --wait",
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
  // The answer to the start of an import is undocumented.
  returns: "json",
  encoding: "multipart",
  access: {},
});
