import { required, string } from "../field.ts";

/** The UID of an account at an identity provider: any text, one segment of a path (`2-collaboration-identity-api: SAML`). */
export const uid = string("UID at the identity provider, as it is");

/** Behind a group's `saml/` and `scim/` the address `identities` is the list: nobody can be looked up by that UID. */
export const listedUid = {
  ...uid,
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
