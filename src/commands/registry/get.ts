import { getRepository, include, includeSize, RegistryRepository, repositoryId } from "../../api/endpoints/registry.ts";
import { required } from "../../api/field.ts";
import { command } from "../../declare/command.ts";

export const getCommand = command({
  name: "get",
  summary: getRepository.summary,
  args: { repository_id: required(repositoryId) },
  params: { ...include, size: includeSize },
  requests: [getRepository],
  returns: RegistryRepository,
  examples: [
    { line: "registry get 12 --tags-count" },
    { line: "registry get 12 --tags --jq '.tags[].location'", note: "what to pull" },
  ],
  related: ["registry list", "registry tags list"],
  async run(context, input) {
    const record = await context.api.call(getRepository, input);
    const unsized = input.size && record.size === undefined;
    const names = Object.keys(RegistryRepository.shape).filter((name) => name !== "tags");
    return {
      record,
      ...(input.tags && { columns: [...names, "tags.name"] }),
      ...(unsized && {
        message: "no size: the hosted offering alone gives it, for repositories created after 2021-11-04",
      }),
    };
  },
});
