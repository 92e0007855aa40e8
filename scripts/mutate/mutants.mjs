// The mutants of a source file: small changes that a test should notice, made on the syntax tree.
import { parseAst } from "rolldown/parseAst";

const equality = { "===": "!==", "!==": "===", "==": "!=", "!=": "==" };
const bounds = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const arithmetic = { "+": "-", "-": "+", "*": "/", "/": "*", "%": "*" };
const logic = { "&&": "||", "||": "&&" };

/** Properties whose text is written for people. */
const wording =
  /^(?:summary|description|help|hint|cause|label|title|unit|documents|instances|program|message|placeholder)$/;
const typeWrappers = /^TS(?:As|Satisfies|NonNull|Instantiation)Expression$|^TSTypeAssertion$/;
const effects = /^(?:Call|Await|Assignment|Update|Yield|Chain)Expression$/;
const exits = /^(?:Return|Throw|Continue|Break)Statement$/;

/**
 * The mutants of a file, in the order of the text. Each replaces the text from `start` to `end` in one of four `form`s:
 * an expression by `after`, or a statement, an element of an array, or what an object spreads by nothing. An `id` names
 * the file, line, column, and change.
 *
 * Left out, because a test of it would only repeat it: what is written for people (texts with spaces, what a sentence
 * contains, capitalized words, the properties above); numbers above 599 and fractions, which are tuned sizes and times,
 * where one more or less changes nothing, and signs of an order; regular expressions.
 */
export function mutantsOf(file, text) {
  const found = [];
  const lines = lineStarts(text);
  const raw = ({ start, end }) => text.slice(start, end);

  const add = (kind, node, { form = "expression", at = node.start, after = "" } = {}) => {
    const { line, column } = lines(at);
    const id = `${file}:${line}:${column}:${kind}`;
    found.push({ id, file, line, column, form, start: node.start, end: node.end, before: raw(node), after });
  };

  /** An operator replaced, with both operands as they are in the text. */
  const replaceOperator = (kind, node, operator) => {
    const at = text.indexOf(node.operator, node.left.end);
    const left = text.slice(node.start, at).trim();
    const right = text.slice(at + node.operator.length, node.end).trim();
    add(kind, node, { at, after: `(${left}) ${operator} (${right})` });
  };

  /** `a < b ? -1 : 1`: of these numbers only the sign counts. */
  const signs = new Set();

  const onTest = (test) => {
    const isInverted = test.type === "BinaryExpression" && test.operator in equality;
    if (!isInverted && !isNot(test)) add("negated", test, { after: `!(${raw(test)})` });
  };

  const onLiteral = (node) => {
    const { value } = node;
    if (typeof value === "boolean") add("boolean", node, { after: String(!value) });
    if (typeof value === "string" && !isWording(value)) add("text", node, { after: value === "" ? '"mutant"' : '""' });
    if (typeof value !== "number" || !Number.isInteger(value) || value > 599 || signs.has(node)) return;
    add("more", node, { after: String(value + 1) });
    if (value > 0 && value <= 100) add("less", node, { after: String(value - 1) });
  };

  const onBinary = (node) => {
    const { operator, left, right } = node;
    if (operator in equality) replaceOperator("inverted", node, equality[operator]);
    if (operator in bounds) replaceOperator("bound", node, bounds[operator]);
    if (operator in arithmetic && !isText(left) && !isText(right)) {
      replaceOperator("arithmetic", node, arithmetic[operator]);
    }
  };

  const visitors = {
    IfStatement: ({ test, consequent, alternate }) => {
      onTest(test);
      const last = consequent.type === "BlockStatement" ? consequent.body.at(-1) : consequent;
      if (alternate === null && last !== undefined && exits.test(last.type)) add("exit", last, { form: "statement" });
    },
    ConditionalExpression: ({ test, consequent, alternate }) => {
      onTest(test);
      const isOrder = /^(?:-1 1|1 -1)$/.test(`${raw(consequent)} ${raw(alternate)}`);
      if (isOrder) for (const each of [consequent, alternate]) signs.add(each.argument ?? each);
    },
    WhileStatement: ({ test }) => onTest(test),
    DoWhileStatement: ({ test }) => onTest(test),
    ForStatement: ({ test }) => test && onTest(test),
    UnaryExpression: (node) => {
      if (isNot(node)) add("not", node, { after: `!${raw(node)}` });
    },
    LogicalExpression: (node) => {
      const { operator, left } = node;
      if (operator in logic) replaceOperator("logic", node, logic[operator]);
      else {
        const at = text.indexOf("??", left.end);
        add("default", node, { at, after: text.slice(node.start, at).trim() });
      }
    },
    BinaryExpression: onBinary,
    Literal: onLiteral,
    ExpressionStatement: (node) => {
      const { expression, directive } = node;
      const isEffect = effects.test(expression.type) || expression.operator === "delete";
      const isSuper = expression.type === "CallExpression" && expression.callee.type === "Super";
      if (isEffect && !isSuper && typeof directive !== "string") add("statement", node, { form: "statement" });
    },
    ArrayExpression: ({ elements }) => {
      for (const each of elements) if (each !== null) add("element", each, { form: "element" });
    },
    ObjectExpression: ({ properties }) => {
      for (const { type, argument } of properties)
        if (type === "SpreadElement") add("spread", argument, { form: "spread" });
    },
  };

  const visit = (node) => {
    if (Array.isArray(node)) for (const each of node) visit(each);
    if (node === null || typeof node !== "object" || typeof node.type !== "string") return;
    if (node.type.startsWith("TS") && !typeWrappers.test(node.type)) return;
    if (node.type === "TemplateLiteral" && isSentence(node)) return;
    visitors[node.type]?.(node);
    for (const [key, child] of Object.entries(node)) if (isMutable(node, key)) visit(child);
  };
  visit(parseAst(text, { lang: "ts" }).body);
  return found.sort((a, b) => a.line - b.line || a.column - b.column);
}

function isNot({ type, operator }) {
  return type === "UnaryExpression" && operator === "!";
}

function isText({ type, value }) {
  return type === "TemplateLiteral" || typeof value === "string";
}

/** Text for people; a route has a space too. */
function isWording(value) {
  return (/\s/.test(value) && !/^[A-Z]+ \//.test(value)) || /^[A-Z][a-z]+$/.test(value);
}

function isSentence({ quasis }) {
  return quasis.some(({ value }) => /[a-z,;:] |[ ][a-z(]/.test(value.cooked ?? value.raw));
}

/** Whether a part of a node is evaluated and can be something else: no names, module paths, patterns, or wording. */
function isMutable(node, key) {
  if (node.type === "Property" || node.type === "PropertyDefinition" || node.type === "MethodDefinition") {
    if (key === "key") return node.computed;
    return !(key === "value" && wording.test(node.key.name ?? "") && node.value?.type === "Literal");
  }
  if (node.type === "BinaryExpression") {
    const { left, right } = node;
    return !(left.operator === "typeof" || right.operator === "typeof");
  }
  if (key === "source" || key === "attributes") return false;
  return !(node.type === "MemberExpression" && key === "property" && !node.computed);
}

/** From an offset to line and column, both from 1. */
function lineStarts(text) {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - starts[low] + 1 };
  };
}
