/** What a signed-in person may do in which accounts. Pure functions. */
import * as Schema from "effect/Schema"
import { AccountId } from "../shared/Ids.ts"

/** A viewer sees everything in an account except secrets; an admin may also change it. */
export const Role = Schema.Literals(["viewer", "admin"])
export type Role = typeof Role.Type

export const Membership = Schema.Struct({ accountId: AccountId, role: Role })
export type Membership = typeof Membership.Type

/** The role in an account; undefined for a stranger. */
export const roleIn = (memberships: ReadonlyArray<Membership>, accountId: AccountId): Role | undefined =>
  memberships.find((each) => each.accountId === accountId)?.role

/** Whether one role may do what another may. */
export const covers = (role: Role, needed: Role): boolean => role === "admin" || role === needed
