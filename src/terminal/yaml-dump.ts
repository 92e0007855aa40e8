// Imported by its name, so that the rest of the parser stays out of the bundle; loaded late.
export { dump } from "js-yaml";
