import type { Endpoint } from "../../api/endpoint.ts";
import { newUid } from "../../api/endpoints/identity.ts";
import { group } from "../../api/endpoints/scope.ts";
import { type Entity, type Field, required } from "../../api/field.ts";
import { Failure } from "../../base/errors.ts";
import { type Command, command, type Explained } from "../../declare/command.ts";
import type { Identified } from "./kind.ts";

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
    ...explained,
    async run(context, input) {
      const answer = await context.api.call(update, input);
      if (isIdentity(answer)) return { record: answer };
      const changed = { group: input.group, uid: input.extern_uid };
      const record = await context.api.call(get, changed).catch((error: unknown) => {
        if (!(error instanceof Failure) || error.exit === "interrupted") throw error;
        context.warn(`the UID is changed, but the identity could not be read back: ${error.details.reason}`);
        return { extern_uid: input.extern_uid };
      });
      return { record };
    },
  });
}

function isIdentity(answer: unknown): answer is object {
  return typeof answer === "object" && answer !== null && "extern_uid" in answer;
}
