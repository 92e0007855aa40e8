import { endpoint } from "../../../src/api/endpoint.ts";
import { array, boolean, oneOf, required, string } from "../../../src/api/field.ts";
import { type Command, command, type Group, group } from "../../../src/declare/command.ts";

const nothing = { examples: [], run: async () => undefined };

const purge = endpoint({
  route: "DELETE /projects/:project/things/:thing",
  summary: "Delete a thing",
  params: { project: string("Project", { scope: "project" }), thing: string("Thing") },
  returns: "nothing",
  access: { role: "maintainer", tier: "premium", hosting: "self-managed", jobToken: true },
});

/** Commands of every kind that a reference has to show, with text that is awkward to quote. */
export const sample: (Command | Group)[] = [
  group("things", "Things of a project", [
    group("tags", "Tags of a thing", [
      command({
        ...nothing,
        name: "delete",
        summary: "Delete a thing's tags",
        details: "It's <gone> then; see *all* of `it`.",
        args: { tag: required(array(string("", { placeholder: "tag" }), "Tag")) },
        params: {
          via: oneOf(["bulk", "tags"], "How"),
          ref: required(string('Branch: it\'s "$HOME", `x`, or \\d', { short: "r" })),
          project: string("Project", { short: "p", scope: "project", completes: "project" }),
          executable: boolean("Executable", { negatable: true }),
          active: boolean("Active", { valued: true }),
          kinds: string("Kinds", { placeholder: "list", completes: "hook-event" }),
          who: array(string("", { placeholder: "who", suggests: ["level:developer", "level:admin"] }), "Who"),
        },
        requests: [purge],
        examples: [{ line: "things tags delete v1 --ref main", note: "one of them" }],
        related: ["things show"],
      }),
    ]),
    command({
      ...nothing,
      name: "show",
      summary: "Show a thing",
      args: { state: required(oneOf(["on", "off"], "State")), path: string("File", { completes: "file" }) },
      params: { out: string("Where to", { completes: "directory" }), from: string("What", { completes: "file" }) },
    }),
    command({
      ...nothing,
      name: "set",
      summary: "Set things",
      args: { values: required(array(string("", { placeholder: "name=value", completes: "setting" }), "Values")) },
    }),
  ]),
  command({
    ...nothing,
    name: "run",
    summary: "Run a command",
    passThrough: true,
    args: { command: required(array(string(), "Command", { completes: "command" })) },
    params: { port: string("Port") },
  }),
];
