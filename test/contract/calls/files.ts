import * as files from "../../../src/api/endpoints/files.ts";
import { call } from "../call.ts";

const project = "acme/storefront";
const file = { project, file_path: "README.md", ref: "main" };
const as = "developer";
const commit = { project, file_path: "docs/contract.md", branch: "main", commit_message: "Contract" };

export const calls = [
  call(files.getFile, file),
  call(files.statFile, file),
  call(files.getBlame, { ...file, range_start: 1, range_end: 3 }),
  call(files.statBlame, file),
  call(files.getRaw, { project, file_path: "assets/hero.psd", lfs: true }),
  call(files.statRaw, { project, file_path: "README.md" }),
  call(files.createFile, { ...commit, content: "one" }, { as }),
  call(files.updateFile, { ...commit, content: "dHdv", encoding: "base64", execute_filemode: true }, { as }),
  call(files.deleteFile, commit, { as }),
];
