import type { Area } from "../server/router.ts";
import { artifactsArea } from "./artifacts/routes.ts";
import { errorTrackingArea } from "./error-tracking/routes.ts";
import { eventsArea } from "./events/routes.ts";
import { filesArea } from "./files/routes.ts";
import { groupsArea } from "./groups/routes.ts";
import { hooksArea } from "./hooks/routes.ts";
import { ldapArea } from "./identity/ldap.ts";
import { samlArea } from "./identity/saml.ts";
import { scimArea } from "./identity/scim.ts";
import { jobTokenArea } from "./job-token/routes.ts";
import { notesArea } from "./notes/area.ts";
import { directoryArea } from "./places/directory.ts";
import { companionsArea } from "./places/routes.ts";
import { protectedBranchesArea } from "./protected-branches/routes.ts";
import { protectedEnvironmentsArea } from "./protected-environments/routes.ts";
import { registryArea } from "./registry/routes.ts";
import { relationsArea } from "./relations/routes.ts";
import { settingsArea } from "./settings/routes.ts";
import { uploadsArea } from "./uploads/routes.ts";
import { usersArea } from "./users/routes.ts";

/** All areas in the order in which they are seeded: a later one may refer to data of an earlier one. */
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
  protectedBranchesArea,
];
