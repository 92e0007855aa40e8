/** What people say in threads: how one begins, and what is answered. */
export const threads: readonly (readonly [opening: string, ...answers: string[]])[] = [
  ["Could we add a test for this?", "Yes, I will add one today.", "Done, see the last commit."],
  ["Which versions are affected?", "Everything since 2.3; older ones have another code path."],
  ["I would rather not change the public interface for this.", "Agreed, a default value does it as well."],
  ["Who can review the migration?", "I can, tomorrow morning.", "Reviewed. It locks the table for about a second."],
  [
    "The log says:\n\n```\nworker-3 | error: connection reset by peer (attempt 4 of 5)\n```\n\nIs that the same problem?",
    "No, that is the proxy. I opened another issue for it.",
  ],
  ["Is this still planned for the next milestone?", "It depends on the design review."],
  ["Please split this up: the first half could go out today."],
];

export const internalRemarks: readonly string[] = [
  "Two customers asked for this by name; please do not mention them outside.",
  "Security has looked at this: no embargo needed.",
  "The contract with the vendor ends in June, so there is no hurry.",
];

/** What the instance writes about changes. */
export const systemNotes: readonly string[] = [
  "assigned to @dana.dixon",
  "unassigned @dana.dixon",
  "changed the description",
  "mentioned in commit 4f9a31c7",
  "changed due date to the end of the quarter",
  "marked this as related to another issue",
];

export const snippetTitles: readonly string[] = [
  "Query for orders without an invoice",
  "Local proxy settings",
  "Release checklist",
  "Script to rename the labels",
];

/** Epics by group, the position being the IID. */
export const epicPlan: readonly (readonly [groupId: number, titles: readonly string[]])[] = [
  [
    1,
    [
      "One checkout for web and mobile",
      "Retire the legacy API",
      "Accessibility of all public pages",
      "Move to the new payment provider",
      "Single sign-on everywhere",
    ],
  ],
  [2, ["Zero-downtime deployments", "Cut the cost of build machines by a third"]],
  [8, ["Version 2.0", "Documentation in more languages"]],
];

/** A note that is longer than any screen is wide, and one that tries what a program does with other scripts. */
export const longRemark =
  "After some digging: the button is there, but the cookie banner lies on top of it on screens narrower than 360 " +
  "pixels, and takes the click. It is the same with the chat window, which is why the first fix did not help " +
  "everybody. A proper solution is to reserve the space at the bottom of the page for both.\n\n" +
  "- [x] reproduce it\n- [x] find out since when\n- [ ] fix it for the banner\n- [ ] fix it for the chat window";

export const wideRemark = "在小屏幕上也能重现。スクリーンショットを添付します。 Größe: 320 px 📱";

/** Terminal escape sequences, a bell, and text that is written from right to left. */
export const hostileRemark =
  "\u001b[2J\u001b[31mThis text would like to clear your screen\u001b[0m\u0007\r\nerror: \u202enothing to see here";
