import { getRepository, RegistryRepository } from "../../api/endpoints/registry.ts";
import { get } from "../../verbs/verbs.ts";

const names = Object.keys(RegistryRepository.shape).filter((name) => name !== "tags");
const unsized = "no size: only the hosted offering returns it, for repositories created after 2021-11-04";

export const getCommand = get("get", getRepository, {
  shown: {
    entity: RegistryRepository,
    view: (repository, { tags, size }) => ({
      ...(tags === true && { columns: [...names, "tags.name"] }),
      ...(size === true && !("size" in repository) && { message: unsized }),
    }),
  },
  examples: [
    { line: "registry get 12 --tags-count" },
    { line: "registry get 12 --tags --jq '.tags[].location'", note: "references to pull" },
  ],
  related: ["registry list", "registry tags list"],
});
