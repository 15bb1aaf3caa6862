/** In which accounts somebody who has signed in may do what. Pure functions. */
import * as Schema from "effect/Schema"
import { AccountId } from "../Ids.ts"

/** A viewer looks at everything that an account has, but for secrets; an admin changes it as well. */
export const Role = Schema.Literals(["viewer", "admin"])
export type Role = typeof Role.Type

export const Membership = Schema.Struct({ accountId: AccountId, role: Role })
export type Membership = typeof Membership.Type

/** The role in an account; undefined for a stranger to it. */
export const roleIn = (memberships: ReadonlyArray<Membership>, accountId: AccountId): Role | undefined =>
  memberships.find((each) => each.accountId === accountId)?.role

/** Whether a role may do what another one may. */
export const covers = (role: Role, needed: Role): boolean => role === "admin" || role === needed
