import { keys } from "./keys/index.ts";
import { disable, enable, settings } from "./settings.ts";

export const errors = [settings, enable, disable, keys];
