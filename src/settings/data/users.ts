import type { Setting } from "../setting.ts";
import { array, boolean, integer, string } from "./define.ts";

/** Signing up, and what users may do with their accounts. */
export const userSettings: readonly Setting[] = [
  boolean("signup_enabled", "Allow signing up", { default: true }),
  boolean("require_admin_approval_after_user_signup", "Have an administrator approve each sign-up"),
  string("after_sign_up_text", "The text shown after sign-up"),
  boolean("email_restrictions_enabled", "Restrict sign-up by email address"),
  string("email_restrictions", "Regular expression checked against the registration email address", {
    format: "regex",
    requiredBy: "email_restrictions_enabled",
  }),
  boolean("domain_denylist_enabled", "Refuse sign-up from denied email domains"),
  array("domain_denylist", "Email domains denied at sign-up"),
  array("domain_allowlist", "Email domains allowed at sign-up"),

  boolean("delete_unconfirmed_users", "Delete users who have not confirmed their email address", {
    tier: "premium",
  }),
  integer("unconfirmed_users_delete_after_days", "How long after sign-up unconfirmed users are deleted", {
    default: 7,
    min: 1,
    unit: "days",
    appliesWhen: { setting: "delete_unconfirmed_users", is: true },
    tier: "premium",
  }),
  boolean("user_deactivation_emails_enabled", "Send an email to a user whose account is deactivated"),
  boolean("allow_account_deletion", "Let users delete their accounts", { tier: "premium" }),
  boolean("updating_name_disabled_for_users", "Prevent users from changing their names"),

  boolean("user_default_external", "Make new users external by default"),
  string("user_default_internal_regex", "Regular expression for users who are internal by default", {
    format: "regex",
  }),
  boolean("user_defaults_to_private_profile", "Make new users' profiles private by default", { default: false }),
  boolean("user_show_add_ssh_key_message", "Show users the message on adding an SSH key"),
  boolean("can_create_group", "Let users create groups"),
  boolean("top_level_group_creation_enabled", "Let users create top-level groups", { default: true }),
  boolean("disable_invite_members", "Disable inviting members"),
  string("default_preferred_language", "The default preferred language", { nullable: true }),
  integer("first_day_of_week", "The first day of the week"),
];
