/** The types of the admin API: those of the contract, and what callers know beside it. */
import type * as Contract from "./Admin.generated.ts"

export type * from "./Admin.generated.ts"

/** A dry run is a call of its own, since it answers something else. */
export interface AdminReplayDeliveries extends Omit<Contract.AdminReplayDeliveries, "dry_run"> {}

/** A thing changed: fetch it, if you show it. */
export interface ThingChanged extends Contract.ChangedThing {
  readonly event: "change"
}

/** Some things of these kinds changed, too many to name: fetch what you show of them. */
export interface ManyChanged extends Contract.ChangedThings {
  readonly event: "many"
}

/** Changes were missed: fetch all that you show. */
export interface ChangesMissed {
  readonly event: "reset"
}

/** What changes in an account, as it is told while it happens. */
export type AccountChange = ThingChanged | ManyChanged | ChangesMissed
