import { required, string } from "../field.ts";

/**
 * The UID of an account at an identity provider: any text, one segment of a path
 * (`2-collaboration-identity-api: SAML`).
 */
export function uidIn(completes: "saml-identity" | "scim-identity") {
  return string("UID at the identity provider, exactly as stored there", { completes });
}

/** Below a group's `saml/` and `scim/`, the path `identities` is the list, so that UID cannot be looked up. */
export const listedUid = {
  pattern: {
    test: /^(?!identities$)/,
    words: "another UID: this one is the path of the whole list, which identities list shows",
  },
};

/** A name that can be part of a request's path, unlike `.` and `..`. */
export const reachable = { test: /^(?!\.{1,2}$)/, words: "a name that can be part of a request's path" };

export const newUid = required(
  string("The new UID", { flag: "extern-uid", placeholder: "uid", min: 1, pattern: reachable }),
);
