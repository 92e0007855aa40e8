import { group } from "../../declare/command.ts";
import { keys } from "./keys/index.ts";
import { disable, enable, settings } from "./settings.ts";

export const errors = group("errors", "Error tracking of a project", [settings, enable, disable, keys]);
