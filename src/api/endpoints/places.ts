import { endpoint } from "../endpoint.ts";
import { boolean, date, entity, id, json, nullable, oneOf, required, string, timestamp, uncut } from "../field.ts";
import { group, project, selecting } from "./scope.ts";

// Undocumented: lists of projects and groups, and the lookup of a path's ID.

const Project = entity("Project", {
  id: required(id("Project ID")),
  name: string(),
  name_with_namespace: string(),
  path: string(),
  path_with_namespace: required(uncut("Full path")),
  description: nullable(string()),
  visibility: string(),
  default_branch: nullable(string()),
  container_registry_access_level: string("Visibility of the container registry: enabled, private, or disabled"),
  archived: boolean(),
  marked_for_deletion_on: nullable(date("Its deletion was requested on this day, and follows days or weeks later")),
  created_at: timestamp(),
  last_activity_at: timestamp(),
  web_url: uncut(),
  permissions: json("The caller's access levels, of a single project", { sometimes: true }),
});

const Group = entity("Group", {
  id: required(id("Group ID")),
  name: string(),
  path: string(),
  full_name: string(),
  full_path: required(uncut("Full path")),
  parent_id: nullable(id("Parent group")),
  description: nullable(string()),
  visibility: string(),
  created_at: timestamp(),
  web_url: uncut(),
});

export const getProject = endpoint({
  route: "GET /projects/:project",
  summary: "Get a project",
  params: { project },
  returns: Project,
  access: {},
  beyond: true,
});

export const getGroup = endpoint({
  route: "GET /groups/:group",
  summary: "Get a group",
  params: { group },
  returns: Group,
  access: {},
  beyond: true,
});

// short-words, projects-of-many
export const search = string("Part of the name, path, or description (3 characters or more)", selecting);
const groupSearch = string("Part of the full name or path (3 characters or more)", selecting);
const membership = boolean("Only projects that you are a member of");

export const listProjects = endpoint({
  route: "GET /projects",
  summary: "List projects",
  params: { search, membership },
  returns: Project,
  page: "offset",
  cursor: "id",
  access: {},
  beyond: true,
});

export const listGroupProjects = endpoint({
  route: "GET /groups/:group/projects",
  summary: "List the projects of a group and its subgroups",
  params: {
    group,
    search,
    include_subgroups: boolean("Include projects of subgroups"),
    with_shared: boolean("Include projects that are shared with the group (default true)", { valued: true }),
    archived: boolean("Only archived projects, or only others (default both)", { valued: true }),
    order_by: oneOf(["id", "path"], "Order of the list"),
    sort: oneOf(["asc", "desc"], "Direction of the order"),
  },
  returns: Project,
  page: "offset",
  cursor: "id",
  access: {},
  beyond: true,
});

export const listGroups = endpoint({
  route: "GET /groups",
  summary: "List groups",
  params: { search: groupSearch },
  returns: Group,
  page: "offset",
  cursor: "name",
  access: {},
  beyond: true,
});

export const listDescendantGroups = endpoint({
  route: "GET /groups/:group/descendant_groups",
  summary: "List the groups below a group, at any depth",
  params: { group },
  returns: Group,
  page: "offset",
  cursor: "name",
  access: {},
  beyond: true,
});
