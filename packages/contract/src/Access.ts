/**
 * What an endpoint of the admin API asks of whoever has signed in. It is said
 * here for all of them, by their method and path; an endpoint says so itself
 * only where it differs. Operators, who have the admin key, may call everything.
 */
import type { Role } from "@runhook/core/domain/console/Membership"
import * as Context from "effect/Context"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"

/** A role in the account of the path; `member`: any session, of its own things; `operator`: no session at all. */
export type Access = "member" | "operator" | Role

/**
 * Annotates an endpoint that differs, as a POST that only reads is for a
 * `viewer`. One of which that depends on the request lets viewers in, and asks
 * for more where it changes something: see `changing` in the http package.
 */
export const DeclaredAccess = Context.Reference<Access | null>("@runhook/contract/DeclaredAccess", {
  defaultValue: () => null
})

const isInAccount = /\/accounts\/:account_id(?:\/|$)/

/** Reading an account is for viewers, changing it for admins, and all else for operators. */
export const accessOf = ({
  annotations,
  method,
  path
}: Pick<HttpApiEndpoint.Top, "annotations" | "method" | "path">): Access =>
  Context.get(annotations, DeclaredAccess) ??
  (isInAccount.test(path) ? (method === "GET" ? "viewer" : "admin") : "operator")
