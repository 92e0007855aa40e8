import { ClientKey, createClientKey, deleteClientKey, listClientKeys } from "../../../api/endpoints/error-tracking.ts";
import { boolean } from "../../../api/field.ts";
import { group } from "../../../declare/command.ts";
import { remove } from "../../../verbs/remove.ts";
import type { ResourceView } from "../../../verbs/resource-view.ts";
import { create, list } from "../../../verbs/verbs.ts";
import { withDsn } from "../dsn.ts";
import { rotate } from "./rotate.ts";

const reveal = boolean("Show the DSN, which is a secret");

const shown: ResourceView<typeof ClientKey.shape> = { entity: ClientKey, read: withDsn };

export const keys = group("keys", "Keys with which SDKs send error events", [
  list("list", listClientKeys, ["id", "active", "public_key", "tracker_dsn"], {
    details: "The DSN is a secret: it is masked in every format unless --reveal is given.",
    params: { reveal },
    shown,
    examples: [
      { line: "errors keys list -p acme/storefront" },
      { line: "errors keys list -p acme/storefront --reveal --fields tracker_dsn --no-header", note: "only the DSNs" },
    ],
    related: ["errors keys create", "errors keys rotate"],
  }),
  create("create", createClientKey, {
    details:
      "The DSN is a secret: it is masked in every format unless --reveal is given. errors keys list shows it later.",
    params: { reveal },
    shown,
    examples: [
      { line: "errors keys create -p acme/storefront" },
      { line: "errors keys create -p acme/storefront --reveal --jq .tracker_dsn", note: "only the DSN" },
    ],
    undo: { line: "errors keys delete {result.id} -p {project}" },
    related: ["errors keys list", "errors keys rotate"],
  }),
  remove("delete", deleteClientKey, {
    noun: "error tracking key",
    shows: listClientKeys,
    many: true,
    examples: [{ line: "errors keys delete 2 -p acme/storefront --yes" }],
    related: ["errors keys list", "errors keys rotate"],
  }),
  rotate,
]);
