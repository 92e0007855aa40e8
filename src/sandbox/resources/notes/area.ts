import type { Area } from "../../router.ts";
import { seedConversations } from "../../seed/conversations.ts";
import { discussionRoutes } from "./discussion-routes.ts";
import { noteRoutes } from "./note-routes.ts";

/** Notes and discussions: 2-collaboration-identity-api: Notes, Discussions. */
export const notesArea: Area = {
  name: "notes",
  seed: seedConversations,
  routes(router) {
    noteRoutes(router);
    discussionRoutes(router);
  },
};
