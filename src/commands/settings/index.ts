import { group } from "../../command/command.ts";
import { explain } from "./explain.ts";
import { get } from "./get.ts";
import { list } from "./list.ts";
import { set } from "./set.ts";

export const settings = group("settings", "Application settings of the instance", [list, get, set, explain]);
