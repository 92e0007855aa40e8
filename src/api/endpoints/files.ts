import { endpoint } from "../endpoint.ts";
import { array, boolean, bytes, entity, integer, object, oneOf, required, string, timestamp } from "../field.ts";
import { project } from "./scope.ts";

const facts = {
  file_name: string(),
  file_path: string("Path from the top of the repository"),
  size: bytes("Size in bytes"),
  encoding: string("How the content travels: base64"),
  content_sha256: string("SHA-256 of the content, hexadecimal"),
  ref: string("Branch, tag, or commit as asked for"),
  blob_id: string("SHA of the content in the repository"),
  commit_id: string("Commit that the ref stands for"),
  last_commit_id: string("Last commit that changed the file"),
  execute_filemode: boolean("Executable"),
};

/** What the metadata headers of a HEAD, and of a raw answer, say (`1-project-api: Repository files`). */
export const FileFacts = entity("File facts", facts);

/** A file with its content in Base64 (`1-project-api: Repository file`). */
export const RepositoryFile = entity("Repository file", { ...facts, content: string("Content in Base64") });

/** Lines that came with the same commit (`1-project-api: Repository file`). */
export const BlameRange = entity("Blame range", {
  commit: object({
    id: string("Commit SHA"),
    message: string(),
    parent_ids: array(string()),
    authored_date: timestamp(),
    author_name: string(),
    author_email: string(),
    committed_date: timestamp(),
    committer_name: string(),
    committer_email: string(),
  }),
  lines: array(string()),
});

/** What a create or update answers (`1-project-api: Repository file`). */
export const FileWrite = entity("File write", { file_path: string(), branch: string() });

const file_path = string("Path of the file in the repository", { placeholder: "path" });
const ref = required(string("Branch, tag, or commit"));
const writes = { role: "developer" } as const;
const range = {
  range_start: integer("First line", { wire: "range[start]", min: 1 }),
  range_end: integer("Last line", { wire: "range[end]", min: 1 }),
};
const raw = {
  project,
  file_path,
  ref: string("Branch, tag, or commit; the project's default branch unless given"),
  lfs: boolean("The content kept in large file storage instead of the pointer to it"),
};

export const getFile = endpoint({
  route: "GET /projects/:project/repository/files/:file_path",
  summary: "Get a file with its content",
  params: { project, file_path, ref },
  returns: RepositoryFile,
  access: {},
});

export const statFile = endpoint({
  route: "HEAD /projects/:project/repository/files/:file_path",
  summary: "Get the metadata of a file",
  params: { project, file_path, ref },
  returns: { headers: FileFacts },
  access: {},
});

/** The answer is a whole list and has no pages. */
export const getBlame = endpoint({
  route: "GET /projects/:project/repository/files/:file_path/blame",
  summary: "Get who changed each line of a file",
  params: { project, file_path, ref, ...range },
  returns: BlameRange,
  page: "offset",
  access: {},
});

export const statBlame = endpoint({
  route: "HEAD /projects/:project/repository/files/:file_path/blame",
  summary: "Get the metadata of a file from its blame",
  params: { project, file_path, ref, ...range },
  returns: { headers: FileFacts },
  access: {},
});

export const getRaw = endpoint({
  route: "GET /projects/:project/repository/files/:file_path/raw",
  summary: "Download a file of the repository",
  params: raw,
  returns: "bytes",
  access: {},
});

export const statRaw = endpoint({
  route: "HEAD /projects/:project/repository/files/:file_path/raw",
  summary: "Get the metadata of a file from its raw content",
  params: raw,
  returns: { headers: FileFacts },
  access: {},
});

/** What every commit of one file takes (`1-project-api: Repository files`). */
export const commitFields = {
  branch: required(string("Branch to commit to", { short: "b", placeholder: "branch", min: 1 })),
  commit_message: required(string("Commit message", { flag: "message", short: "m", placeholder: "text", min: 1 })),
  author_name: string("Author of the commit, unless it is you", { placeholder: "name" }),
  author_email: string("The author's e-mail address", { placeholder: "address" }),
  start_branch: string("Make the branch first, from this one", { placeholder: "branch", min: 1 }),
};
/** What a commit that writes the file takes besides its content. */
export const writeFields = {
  encoding: oneOf(["text", "base64"], "How the content travels, encoded for you; base64 where it is not UTF-8"),
  execute_filemode: boolean("Make the file executable, or not", { flag: "executable", negatable: true }),
};
export const lastCommitField = {
  last_commit_id: string("Only if this is still the file's last commit", { placeholder: "id", min: 1 }),
};
const commit = { project, file_path, ...commitFields };
const content = { content: required(string("Content")), ...writeFields };

export const createFile = endpoint({
  route: "POST /projects/:project/repository/files/:file_path",
  summary: "Create a file",
  params: { ...commit, ...content },
  returns: FileWrite,
  access: writes,
});

export const updateFile = endpoint({
  route: "PUT /projects/:project/repository/files/:file_path",
  summary: "Update a file",
  params: { ...commit, ...content, ...lastCommitField },
  returns: FileWrite,
  access: writes,
});

export const deleteFile = endpoint({
  route: "DELETE /projects/:project/repository/files/:file_path",
  summary: "Delete a file",
  params: { ...commit, ...lastCommitField },
  returns: "nothing",
  access: writes,
});
