import { getFile, RepositoryFile } from "../../api/endpoints/files.ts";
import { get as getVerb } from "../../verbs/verbs.ts";
import { filePath, refFlag } from "./path.ts";

const { content: _, ...withoutContent } = RepositoryFile.shape;

export const get = getVerb("get", getFile, {
  summary: "Get a file with its metadata",
  details:
    "JSON and YAML contain the content too, in Base64; files cat prints it decoded. Of a text that is not UTF-8, instances " +
    "show a conversion there, and files cat prints the text itself. Files of a public project can be read without a token.",
  params: { ...filePath, ...refFlag },
  shown: { entity: RepositoryFile, columns: Object.keys(withoutContent) as (keyof typeof withoutContent)[] },
  examples: [
    { line: "files get README.md -p acme/storefront --ref main" },
    { line: "files get README.md -p acme/storefront --ref main --jq '.content | @base64d'" },
  ],
  related: ["files cat", "files stat"],
});
