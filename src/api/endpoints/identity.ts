import { required, string } from "../field.ts";

/** The UID of an account at an identity provider: any text, one segment of a path (`2-collaboration-identity-api: SAML`). */
export function uidIn(completes: "saml-identity" | "scim-identity") {
  return string("UID at the identity provider, as it is", { completes });
}

/** Behind a group's `saml/` and `scim/` the address `identities` is the list: nobody can be looked up by that UID. */
export const listedUid = {
  pattern: {
    test: /^(?!identities$)/,
    words: "another UID: this one is the address of the whole list, which identities list shows",
  },
};

/** What is named so can be reached again: `.` and `..` are nothing that a path can hold. */
export const reachable = { test: /^(?!\.{1,2}$)/, words: "a name that a request's path can hold" };

export const newUid = required(
  string("The new UID", { flag: "extern-uid", placeholder: "uid", min: 1, pattern: reachable }),
);
