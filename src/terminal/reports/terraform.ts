/** The counts that the widget of merge requests for plans shows. */
export interface PlannedCounts {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
}

/** A report for that widget. */
export function terraform({ create, update, delete: removed }: PlannedCounts): string {
  return `${JSON.stringify({ create, update, delete: removed })}\n`;
}
