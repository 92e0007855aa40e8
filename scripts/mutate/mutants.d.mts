export interface Mutant {
  id: string;
  file: string;
  line: number;
  column: number;
  form: "expression" | "statement" | "element" | "spread";
  start: number;
  end: number;
  before: string;
  after: string;
}
export function mutantsOf(file: string, text: string): Mutant[];
