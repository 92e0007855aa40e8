import type { Endpoint } from "../../api/endpoint.ts";
import { newUid } from "../../api/endpoints/identity.ts";
import { group } from "../../api/endpoints/scope.ts";
import { type Entity, type Field, required } from "../../api/field.ts";
import { type Command, command, type Explained } from "../../declare/command.ts";
import type { Identified } from "./identity-api.ts";

/** The differences between SAML and SCIM identities. */
interface Kind extends Explained {
  get: Endpoint<Identified, object>;
  update: Endpoint<Identified & { extern_uid: string }, unknown>;
  returns: Entity;
}

/** Changes the UID of an identity and shows the result, which is read back because not every instance returns it. */
export function updateIdentity({ get, update, returns, ...explained }: Kind): Command {
  return command({
    name: "update",
    verb: "update",
    summary: update.summary,
    args: { uid: required(update.params.uid as Field<string>) },
    params: { group: required(group), extern_uid: newUid },
    requests: [update, get],
    returns,
    prints: "record",
    ...explained,
    async run(context, input) {
      return { record: (await context.api.call(update, input)) as object };
    },
  });
}
