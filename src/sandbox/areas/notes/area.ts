import type { Area } from "../../server/router.ts";
import { discussionRoutes } from "./discussion-routes.ts";
import { noteRoutes } from "./note-routes.ts";
import { seedConversations } from "./seed.ts";

/** Notes and discussions: 2-collaboration-identity-api: Notes, Discussions. */
export const notesArea: Area = {
  name: "notes",
  seed: seedConversations,
  routes(router) {
    noteRoutes(router);
    discussionRoutes(router);
  },
};
