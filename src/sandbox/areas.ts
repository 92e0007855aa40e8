import { artifactsArea } from "./resources/artifacts.ts";
import { companionsArea } from "./resources/companions.ts";
import { errorTrackingArea } from "./resources/error-tracking.ts";
import { eventsArea } from "./resources/events.ts";
import { filesArea } from "./resources/files.ts";
import { groupsArea } from "./resources/groups.ts";
import { hooksArea } from "./resources/hooks.ts";
import { jobTokenArea } from "./resources/job-token.ts";
import { ldapArea } from "./resources/ldap.ts";
import { notesArea } from "./resources/notes/area.ts";
import { protectedEnvironmentsArea } from "./resources/protected-environments.ts";
import { registryArea } from "./resources/registry.ts";
import { relationsArea } from "./resources/relations.ts";
import { samlArea } from "./resources/saml.ts";
import { scimArea } from "./resources/scim.ts";
import { settingsArea } from "./resources/settings.ts";
import { uploadsArea } from "./resources/uploads.ts";
import { usersArea } from "./resources/users.ts";
import type { Area } from "./router.ts";
import { directoryArea } from "./seed/directory.ts";

/** All areas in the order in which they are seeded: a later one may refer to what an earlier one put there. */
export const areas: readonly Area[] = [
  directoryArea,
  usersArea,
  eventsArea,
  hooksArea,
  jobTokenArea,
  filesArea,
  artifactsArea,
  errorTrackingArea,
  protectedEnvironmentsArea,
  uploadsArea,
  registryArea,
  settingsArea,
  notesArea,
  samlArea,
  scimArea,
  ldapArea,
  groupsArea,
  relationsArea,
  companionsArea,
];
