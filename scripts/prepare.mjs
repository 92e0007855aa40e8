// Run by npm after an install in a clone, and before packing: builds dist/. A global install of a folder only links it,
// so the development dependencies are installed here first.
import { hasBuilder, ready } from "./ready.mjs";

const withoutDevelopment = /\bdev\b/.test(process.env.npm_config_omit ?? "");
if (!hasBuilder() && withoutDevelopment) {
  console.error("forgectl is not built: the development dependencies are not installed");
} else {
  ready({ installed: hasBuilder() });
}
