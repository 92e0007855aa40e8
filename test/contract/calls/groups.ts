import { downloadGroupExport, exportGroup, importGroup } from "../../../src/api/endpoints/groups.ts";
import { packTar } from "../../../src/sandbox/store/tar.ts";
import { call } from "../call.ts";

const archive = packTar(
  [
    { path: "tree/groups/_all.ndjson", content: "4\n" },
    { path: "tree/groups/4.json", content: '{"name":"a","path":"a"}' },
  ],
  new Date(0),
);

const file = {
  name: "archive.tar.gz",
  size: archive.length,
  async *stream() {
    yield archive;
  },
};

export const calls = [
  call(downloadGroupExport, { group: "acme" }),
  call(exportGroup, { group: "acme/platform" }),
  call(importGroup, { name: "A", path: "a", parent_id: 8, file }),
];
