// Imported by name, so that the rest of the parser is not bundled; loaded on first use.
export { dump } from "js-yaml";
