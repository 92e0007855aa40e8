import * as relations from "../../../src/api/endpoints/relations.ts";
import { call } from "../call.ts";

const project = "acme/storefront";
/** Its demo export was finished days ago. */
const exported = "acme/platform/gateway";

export const calls = [
  call(relations.exportRelations, { project, batched: true }),
  call(relations.listRelationStatuses, { project, relation: "issues" }),
  call(relations.downloadRelation, { project: exported, relation: "issues" }),
];
