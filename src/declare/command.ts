import type { AnyEndpoint } from "../api/endpoint.ts";
import type { Entity, Fields, Values } from "../api/field.ts";
import type { Context } from "../context.ts";
import type { ExitView, View } from "../terminal/view.ts";

export interface Example {
  /** As typed, without the program's name. */
  line: string;
  /** Its purpose, in a few words. */
  note?: string;
  /** A shell line that must be run first for the example to work. */
  before?: string;
}

/** The line that undoes a command's change, printed once it is made. */
export interface Undo {
  /**
   * As typed after the program's name, with braces as src/base/template.ts fills them: `{project}` is what was typed,
   * `{result.id}` a field of the result, `{before.active}` a field of the previous state. If one of them is not known,
   * or nothing changed, nothing is printed. Of several, the first is used whose names are all known. In `x && y`,
   * `y` runs if `x` succeeded.
   */
  line: string | readonly string[];
  /**
   * Reads the previous state. If the command itself reads it before its change, that answer is used; otherwise it is
   * sent right before the change, with the same input, and only if a person at a terminal may read the line. Of a
   * list, the one row is used that has every value of the input. Of several, the typed parent selects.
   */
  before?: AnyEndpoint | readonly AnyEndpoint[];
  /** Parameters of that read that the change does not have. */
  reads?(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** The previous state in the words of the line; undefined if the line would not restore it. */
  inWords?(before: object, result: unknown): object | undefined;
  /** What the line does not restore, printed after it; a function, if that depends on what was typed. */
  but?: string | ((input: Readonly<Record<string, unknown>>) => string | undefined);
  /** Names as in `line`: if one of them has a value, the line would not undo the whole change. */
  unless?: readonly string[];
}

/** What depends on what was typed. */
type Depending = (input: Readonly<Record<string, unknown>>) => boolean;

/** The help texts of a command besides its flags. Every verb and every command takes them. */
export interface Explained {
  /** One line, an imperative without a full stop. That of a top-level command is in src/commands/index.ts. */
  summary?: string;
  /** A few more sentences, if the summary is not enough. */
  details?: string;
  examples: readonly Example[];
  /** Other commands, as typed after the program's name. */
  related?: readonly string[];
  /**
   * The command that shows the outcome of its change, if no sibling does: as typed, with the names of arguments and
   * flags in braces, `errors settings get -p {project}`.
   */
  inspectWith?: string;
  undo?: Undo;
}

/** A command is a value: the parser, the help, the completions, and the reference are all made from it. */
export interface Command extends Explained {
  readonly kind: "command";
  readonly name: string;
  /** The verb that made it; undefined if its `run` is written by hand. */
  readonly verb: string | undefined;
  readonly summary: string;
  /** Positional arguments, in order; an array comes last and takes one or more. */
  readonly args: Fields;
  readonly params: Fields;
  /** The requests it makes: for help, docs, and dry runs. */
  readonly requests: readonly AnyEndpoint[];
  /** The entity of the result, if known: `--fields` is checked against it before anything is sent. */
  readonly returns: Entity | undefined;
  /** The fields of a result that has no entity, if they are what was typed. */
  readonly fieldsOf?: ((input: Readonly<Record<string, unknown>>) => readonly string[]) | undefined;
  /** Whether `-o json` prints rows or one record; undefined if that depends, or if its result is neither. */
  readonly prints: "rows" | "record" | undefined;
  /** Everything after the arguments belongs to another program (`sandbox exec -- ls -l`). */
  readonly passThrough: boolean;
  /** Works without stored profiles: problems with them are only warnings. */
  readonly standalone: boolean;
  /** Its result has a form in Markdown, for `-o markdown`. */
  readonly markdown?: boolean | undefined;
  /** Whether it changes something with this input, if its requests do not say. */
  readonly changes?: Depending | undefined;
  /** Whether it may delete something with this input, if its requests do not say. */
  readonly deletes?: Depending | undefined;
  /** Whether running it twice has the same effect as once, if its requests do not say. */
  readonly repeatable?: Depending | undefined;
  /** Texts in what was typed that are secret, though neither a field nor a name says so. */
  readonly secretsIn?: ((input: Readonly<Record<string, unknown>>) => readonly string[]) | undefined;
  /** What was typed in texts that instances read as an ID, such as `user:4`. */
  readonly idsIn?: ((input: Readonly<Record<string, unknown>>) => readonly string[]) | undefined;
  /** See `InnerCommand`. */
  readonly idInFiles?: ((context: Context, input: never) => Promise<string | undefined>) | undefined;
  run(context: Context, input: never): Promise<View | ExitView | undefined>;
}

interface Definition<A extends Fields, P extends Fields> extends Explained {
  name: string;
  verb?: string;
  args?: A;
  params?: P;
  requests?: readonly AnyEndpoint[];
  returns?: Entity | undefined;
  fieldsOf?: Command["fieldsOf"];
  prints?: Command["prints"];
  passThrough?: boolean;
  standalone?: boolean;
  markdown?: boolean;
  changes?: Depending;
  deletes?: Depending | undefined;
  repeatable?: Depending;
  secretsIn?: Command["secretsIn"];
  idsIn?: Command["idsIn"];
  idInFiles?: (context: Context, input: Values<A> & Values<P>) => Promise<string | undefined>;
  run(context: Context, input: Values<A> & Values<P>): Promise<View | ExitView | undefined>;
}

/** Declares a command that does not fit a verb of verbs.ts. */
export function command<A extends Fields = Record<never, never>, P extends Fields = Record<never, never>>(
  definition: Definition<A, P>,
): Command {
  const { requests = [], undo } = definition;
  return {
    kind: "command",
    verb: undefined,
    summary: "",
    args: {},
    params: {},
    returns: undefined,
    prints: undefined,
    passThrough: false,
    standalone: false,
    ...definition,
    requests: undo?.before === undefined ? requests : [...new Set([...requests, ...[undo.before].flat()])],
  };
}

export interface Group {
  readonly kind: "group";
  readonly name: string;
  readonly summary: string;
  readonly children: readonly (Command | Group)[];
}

/** Declares a group; help lists its children in this order. */
export function group(name: string, summary: string, children: readonly (Command | Group)[]): Group {
  return { kind: "group", name, summary, children };
}
