import { collection, type Row } from "../../store/store.ts";

/** A group's own objects besides members and subgroups, all included in its export. */
export const relations = ["milestones", "boards", "labels", "badges", "wikis"] as const;
export type Relation = (typeof relations)[number];

/** One milestone, board, label, badge, or wiki page. Only exports and imports contain them. */
interface GroupPart extends Row {
  readonly group_id: number;
  readonly relation: Relation;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** An archive; it can be downloaded after `ready_at`. */
export interface GroupExport extends Row {
  readonly group_id: number;
  /** Who exported. */
  readonly user_id: number;
  readonly ready_at: string;
  readonly filename: string;
  readonly blob: { readonly id: string; readonly size: number; readonly sha256: string };
}

export const groupParts = collection<GroupPart>("group_parts");
export const groupExports = collection<GroupExport>("group_exports");
