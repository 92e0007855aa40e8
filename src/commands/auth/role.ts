/** What a user may do on the instance as a whole; only administrators see `is_admin`. */
export function roleOf(user: { is_admin?: boolean | null | undefined }): "administrator" | "regular" {
  return user.is_admin === true ? "administrator" : "regular";
}
