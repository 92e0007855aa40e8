import type { Endpoint } from "../../api/endpoint.ts";
import { listedUid, newUid } from "../../api/endpoints/identity.ts";
import { group } from "../../api/endpoints/scope.ts";
import { type Entity, type Field, required } from "../../api/field.ts";
import { undefinedOn } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import { type Command, command, type Explained } from "../../declare/command.ts";
import { type Besides, type Identified, movedOn, notShown } from "./identity-api.ts";

/** The differences between SAML and SCIM identities. */
interface Kind extends Explained {
  get: Endpoint<Identified, object>;
  update: Endpoint<Identified & { extern_uid: string }, unknown>;
  returns: Entity;
  besides?: Besides;
}

/**
 * Changes the UID of an identity and shows the result, which is read back because not every instance returns it. The
 * new UID may be that of another user's identity, so the user is compared with the one before the change.
 */
export function updateIdentity({ get, update, returns, besides, ...explained }: Kind): Command {
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
      const { group, uid, extern_uid } = input;
      const warn = () => besides && uid !== extern_uid && context.warn(besides.one);
      if (context.config.dryRun) warn();
      const isRead = !context.config.dryRun && listedUid.pattern.test.test(uid);
      // One that does not exist is reported by the change.
      const look = () => context.api.call(get, { group, uid }).catch(undefinedOn("notFound"));
      const user = isRead ? userOf(await look()) : undefined;
      // The request names no user, and another one may have got the UID.
      const afterWait = async () => {
        if (user === undefined) return;
        const seen = await look();
        if (userOf(seen) !== user) throw movedOn(user, uid, seen);
      };
      const record = (await context.api.call(update, input, { afterWait })) as object;
      const now = userOf(record);
      if (user !== undefined && now !== undefined && now !== user) throw notShown(user, extern_uid);
      warn();
      return { record };
    },
  });
}

function userOf(identity: unknown): number | undefined {
  return isObject(identity) && typeof identity.user_id === "number" ? identity.user_id : undefined;
}
