/** Whether a typed answer is a yes; an empty one is a no, and undefined is neither. */
export function agreement(typed: string): boolean | undefined {
  const answer = typed.trim();
  if (/^y(?:es)?$/i.test(answer)) return true;
  return answer === "" || /^no?$/i.test(answer) ? false : undefined;
}
