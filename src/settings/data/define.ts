import type { Setting, SettingType } from "../setting.ts";

/** For a setting whose meaning is clear neither from the document nor from its name. */
export const undescribed = "not described in the API documents";

type Details = Omit<Setting, "name" | "type" | "description" | "requires">;

function define(type: SettingType) {
  return (name: string, description: string, details: Details = {}): Setting => ({
    name,
    type,
    description,
    ...details,
  });
}

export const boolean = define("boolean");
export const integer = define("integer");
export const number = define("number");
export const string = define("string");
export const text = define("text");
export const array = define("array");
export const object = define("object");
