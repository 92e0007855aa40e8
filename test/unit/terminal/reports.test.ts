import { expect, test } from "vitest";
import { Redactor } from "../../../src/api/redact.ts";
import { codeQuality } from "../../../src/terminal/reports/code-quality.ts";
import type { ReportedFinding } from "../../../src/terminal/reports/finding.ts";
import { sarif } from "../../../src/terminal/reports/sarif.ts";

const redactor = new Redactor(["t0ken-value"]);
const redact = (text: string) => redactor.text(text);
const about = { rule: "hooks.plain", severity: "low", state: "open", fingerprint: "f" } as const;

test.each([
  ["a known secret", "t0ken-value"],
  ["a quote behind a name", '?token="x'],
  ["an apostrophe behind a name", "password='; x; '"],
])("reports hide %s in each part, and are JSON; a command with one is left out", (_, secret) => {
  const findings: ReportedFinding[] = [
    { ...about, where: secret, text: `it is ${secret}`, hint: null, place: { file: `${secret}.yaml`, line: 1 } },
    { ...about, where: "acme", text: "plain", hint: `forgectl envs get "${secret}"` },
    { ...about, where: "acme", text: "plain", hint: "forgectl envs get x" },
  ];
  const rules = [{ id: "hooks.plain", severity: "low", expect: secret, why: secret }] as const;
  const run = { version: "1", rules, findings, complete: true, ended: new Date(0), redact };
  for (const text of [codeQuality(findings, { redact, instance: undefined }), sarif(run)]) {
    expect(JSON.parse(text)).toBeTruthy();
    expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
    expect(text.match(/; try forgectl/g)).toHaveLength(1);
  }
});
