import { endpoint } from "../endpoint.ts";
import { array, boolean, bytes, entity, integer, object, oneOf, required, string, timestamp } from "../field.ts";
import { project } from "./scope.ts";

const facts = {
  file_name: string(),
  file_path: string("Path from the top of the repository"),
  size: bytes("Size in bytes"),
  encoding: string("Transfer encoding of the content: base64"),
  content_sha256: string("SHA-256 of the content, hexadecimal"),
  ref: string("Branch, tag, or commit as requested"),
  blob_id: string("SHA of the content in the repository"),
  commit_id: string("Commit that the ref points to"),
  last_commit_id: string("Last commit that changed the file"),
  execute_filemode: boolean("Executable"),
};

/** The metadata in the headers of a HEAD or raw answer (`1-project-api: Repository files`). */
export const FileFacts = entity("File facts", facts);

/** Those of a file whose next change is to be guarded by its last commit. */
const GuardedFacts = entity("File facts", { ...facts, last_commit_id: required(facts.last_commit_id) });

/** A file with its content in Base64 (`1-project-api: Repository file`). */
export const RepositoryFile = entity("Repository file", { ...facts, content: string("Content in Base64") });

/** Lines that the same commit last changed (`1-project-api: Repository file`). */
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

/** The answer to a create or update (`1-project-api: Repository file`). */
export const FileWrite = entity("File write", { file_path: string(), branch: string() }, { proof: ["file_path"] });

const file_path = string("Path of the file in the repository", { placeholder: "path" });
const ref = required(string("Branch, tag, or commit"));
/** A public project's files are read without a token too. */
const reads = { scopes: ["api", "read_api", "read_repository"] } as const;
const writes = { role: "developer", scopes: ["api"] } as const;
const range = {
  range_start: integer("First line", { wire: "range[start]", min: 1 }),
  range_end: integer("Last line", { wire: "range[end]", min: 1 }),
};
const raw = {
  project,
  file_path,
  ref: string("Branch, tag, or commit; the project's default branch if not given"),
  lfs: boolean("The content in large file storage (LFS) instead of the pointer to it"),
};

export const getFile = endpoint({
  route: "GET /projects/:project/repository/files/:file_path",
  summary: "Get a file with its content",
  params: { project, file_path, ref },
  returns: RepositoryFile,
  access: reads,
});

export const statFile = endpoint({
  route: "HEAD /projects/:project/repository/files/:file_path",
  summary: "Get the metadata of a file",
  params: { project, file_path, ref },
  returns: { headers: GuardedFacts },
  access: reads,
});

/** The answer is a complete list, without pages. */
export const getBlame = endpoint({
  route: "GET /projects/:project/repository/files/:file_path/blame",
  summary: "Get the last commit of each line of a file",
  params: { project, file_path, ref, ...range },
  returns: BlameRange,
  page: "offset",
  access: reads,
});

export const statBlame = endpoint({
  route: "HEAD /projects/:project/repository/files/:file_path/blame",
  summary: "Get the metadata of a file from its blame",
  params: { project, file_path, ref, ...range },
  returns: { headers: FileFacts },
  access: reads,
});

export const getRaw = endpoint({
  route: "GET /projects/:project/repository/files/:file_path/raw",
  summary: "Download a file of the repository",
  params: raw,
  returns: "bytes",
  access: reads,
});

export const statRaw = endpoint({
  route: "HEAD /projects/:project/repository/files/:file_path/raw",
  summary: "Get the metadata of a file from its raw content",
  params: raw,
  returns: { headers: FileFacts },
  access: reads,
});

/** The parameters of every commit of one file (`1-project-api: Repository files`). */
export const commitFields = {
  branch: required(string("Branch to commit to", { short: "b", placeholder: "branch", min: 1 })),
  commit_message: required(
    string("Commit message", { flag: "message", short: "m", placeholder: "text", min: 1, answered: "never" }),
  ),
  author_name: string("Author of the commit, if it is not you", { placeholder: "name" }),
  author_email: string("The author's e-mail address", { placeholder: "address" }),
  start_branch: string("Create the branch first, from this one", { placeholder: "branch", min: 1 }),
};
/** The parameters of a commit that writes the file, besides its content. */
export const writeFields = {
  encoding: oneOf(["text", "base64"], "Transfer encoding, applied by forgectl; base64 if the content is not UTF-8", {
    answered: "never",
  }),
  execute_filemode: boolean("Set or clear the file's executable bit", { flag: "executable", negatable: true }),
};
export const lastCommitField = {
  last_commit_id: string("Only if this is still the file's last commit", {
    placeholder: "id",
    min: 1,
    answered: "never",
  }),
};
const commit = { project, file_path, ...commitFields };
const content = { content: required(string("Content", { answered: "never" })), ...writeFields };

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
  // Instances store the same content again as another commit, and over that of another user.
  once: true,
  guard: "last_commit_id",
  access: writes,
});

export const deleteFile = endpoint({
  route: "DELETE /projects/:project/repository/files/:file_path",
  summary: "Delete a file",
  params: { ...commit, ...lastCommitField },
  returns: "nothing",
  access: writes,
});
