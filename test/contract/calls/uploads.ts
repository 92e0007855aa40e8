import * as uploads from "../../../src/api/endpoints/uploads.ts";
import { call } from "../call.ts";

const project = "acme/storefront";
const group = "acme";

/** The secrets of the demo uploads, which are the same in every sandbox. */
const secrets = {
  log: "156cc41115afdce402b76c284ffa9c2e",
  csv: "8be31a639ee7b3dfc5070a22df25da01",
  roadmap: "74c6964e3ed5966176f3de627545f38f",
  onCall: "ebdede9c5963386d52f3234957d9d885",
};

const file = {
  name: "notes.txt",
  size: 6,
  async *stream() {
    yield new TextEncoder().encode("hello\n");
  },
};

export const calls = [
  call(uploads.createUpload, { project, file }),
  call(uploads.listProjectUploads, { project }),
  call(uploads.getProjectUpload, { project, upload_id: 1 }),
  call(uploads.getProjectUploadBySecret, { project, secret: secrets.log, filename: "checkout-error.log" }),
  call(uploads.deleteProjectUpload, { project, upload_id: 1 }),
  call(uploads.deleteProjectUploadBySecret, { project, secret: secrets.csv, filename: "Größentabelle.csv" }),
  call(uploads.listGroupUploads, { group }),
  call(uploads.getGroupUpload, { group, upload_id: 7 }),
  call(uploads.getGroupUploadBySecret, { group, secret: secrets.roadmap, filename: "roadmap.md" }),
  call(uploads.deleteGroupUpload, { group, upload_id: 7 }),
  call(uploads.deleteGroupUploadBySecret, { group, secret: secrets.onCall, filename: "on-call.csv" }),
];
