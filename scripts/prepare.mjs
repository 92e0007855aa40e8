// What npm runs by itself after an install from a clone, and before it packs: builds dist/. A global install of a folder
// only links it, so the development dependencies are installed here first.
import { hasBuilder, ready } from "./ready.mjs";

const withoutDevelopment = /\bdev\b/.test(process.env.npm_config_omit ?? "");
if (!hasBuilder() && withoutDevelopment) {
  console.error("forgectl is not built: the development dependencies are left out");
} else {
  ready({ installed: hasBuilder() });
}
