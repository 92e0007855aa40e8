import { unlessHidden } from "../../base/shell-words.ts";

/** A finding in the form that all reports take. */
export interface ReportedFinding {
  readonly rule: string;
  /** The object that it is about. */
  readonly where: string;
  /** Where a file declares it; undefined if none does. */
  readonly place?: Place | undefined;
  readonly severity: "high" | "medium" | "low";
  /** `open` is a finding, `accepted` one that was accepted, `unknown` what could not be decided. */
  readonly state: "open" | "accepted" | "unknown";
  readonly text: string;
  /** The command that repairs or shows it. */
  readonly hint: string | null;
  /** The same for the same rule at the same place, in every run. */
  readonly fingerprint: string;
}

/** A finding without secrets. Parts are masked before they are one text: a mask may take what is between two quotes. */
export function withoutSecrets(finding: ReportedFinding, redact: (text: string) => string): ReportedFinding {
  const { where, text, hint, place } = finding;
  const shownPlace = place && { ...place, file: redact(place.file) };
  const texts = { where: redact(where), text: redact(text), hint: unlessHidden(hint, redact) };
  return { ...finding, ...texts, place: shownPlace };
}

/** A line of a file. */
export interface Place {
  /** Relative to the working directory, unless it is absolute. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

export interface ReportedRule {
  readonly id: string;
  readonly severity: "high" | "medium" | "low";
  readonly expect: string;
  readonly why: string;
}
