import { ClientKey, createClientKey, deleteClientKey, listClientKeys } from "../../api/endpoints/error-tracking.ts";
import { project } from "../../api/endpoints/scope.ts";
import { boolean, required } from "../../api/field.ts";
import { command, group } from "../../declare/command.ts";
import { listFlags, windowOf } from "../../declare/list-flags.ts";
import { remove } from "../../verbs/verbs.ts";
import { withDsn } from "./dsn.ts";
import { rotate } from "./rotate.ts";

const scoped = { project: required(project), reveal: boolean("Show the DSN, which is a secret") };

const list = command({
  name: "list",
  summary: listClientKeys.summary,
  details: "The DSN is a secret: it is masked in every format unless --reveal is given.",
  params: { ...scoped, ...listFlags },
  requests: [listClientKeys],
  returns: ClientKey,
  examples: [
    { line: "errors keys list -p acme/storefront" },
    { line: "errors keys list -p acme/storefront --reveal --fields tracker_dsn --no-header", note: "the DSNs alone" },
  ],
  related: ["errors keys create", "errors keys rotate"],
  async run(context, { reveal = false, ...input }) {
    const rows = context.api.list(listClientKeys, input, windowOf(input));
    return {
      rows: named(rows),
      columns: ["id", "active", "public_key", "tracker_dsn"],
      cut: rows.cut,
      entity: ClientKey,
      reveal,
    };
  },
});

const create = command({
  name: "create",
  summary: createClientKey.summary,
  details:
    "The DSN is a secret: it is masked in every format unless --reveal is given. errors keys list shows it later.",
  params: scoped,
  requests: [createClientKey],
  returns: ClientKey,
  examples: [
    { line: "errors keys create -p acme/storefront" },
    { line: "errors keys create -p acme/storefront --reveal --jq .tracker_dsn", note: "the DSN alone" },
  ],
  related: ["errors keys list", "errors keys rotate"],
  run: async (context, { reveal = false, ...input }) => ({
    record: withDsn(await context.api.call(createClientKey, input)),
    entity: ClientKey,
    reveal,
  }),
});

async function* named(keys: AsyncIterable<object>): AsyncGenerator<object> {
  for await (const key of keys) yield withDsn(key);
}

export const keys = group("keys", "Keys with which SDKs send error events", [
  list,
  create,
  remove("delete", deleteClientKey, {
    noun: "error tracking key",
    shows: listClientKeys,
    many: true,
    examples: [{ line: "errors keys delete 2 -p acme/storefront --yes" }],
    related: ["errors keys list", "errors keys rotate"],
  }),
  rotate,
]);
