/**
 * What an endpoint of the admin API requires of a signed-in person, for all
 * endpoints by method and path. An endpoint that differs declares it itself.
 * Operators, who have the admin key, may call everything.
 */
import type { Role } from "@runhook/core/people/Membership"
import * as Context from "effect/Context"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"

/**
 * A role in the account of the path; `member`: any session, for its own things;
 * `operator`: no session at all.
 */
export type Access = "member" | "operator" | Role

/**
 * Annotates an endpoint that differs, such as a POST that only reads and is for a
 * `viewer`. If only some requests make changes, it lets viewers in and requires
 * more where it changes something: see `changing` in the http package.
 */
export const DeclaredAccess = Context.Reference<Access | null>("@runhook/contract/DeclaredAccess", {
  defaultValue: () => null
})

const isInAccount = /\/accounts\/:account_id(?:\/|$)/

/** Reading an account is for viewers, changing it for admins, and everything else for operators. */
export const accessOf = ({
  annotations,
  method,
  path
}: Pick<HttpApiEndpoint.Top, "annotations" | "method" | "path">): Access =>
  Context.get(annotations, DeclaredAccess) ??
  (isInAccount.test(path) ? (method === "GET" ? "viewer" : "admin") : "operator")
