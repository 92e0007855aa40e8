/** Real instances end the name of the ref at the last `/raw/`, or at a last `/download`, which is the whole archive. */
export function atLastRaw(path: string, typed: { ref_name: string; artifact_path: string }) {
  const [, rest = ""] = /\/jobs\/artifacts\/(.*)$/s.exec(path) ?? [];
  const [, archived] = /^(.*)\/download(?:\.[^/]*)?$/.exec(rest) ?? [];
  if (archived !== undefined) return { ref_name: decodeURIComponent(archived), artifact_path: undefined };
  const end = rest.lastIndexOf("/raw/");
  if (end === -1) return typed;
  const [ref_name, artifact_path] = [rest.slice(0, end), rest.slice(end + "/raw/".length)].map(decodeURIComponent);
  return { ref_name: ref_name ?? "", artifact_path };
}
