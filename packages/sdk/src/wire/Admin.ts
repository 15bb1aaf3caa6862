/** The types of the admin API: those of the contract, and some for callers. */
import type * as Contract from "./Admin.generated.ts"

export type * from "./Admin.generated.ts"

/** A dry run is a separate call, since its answer differs. */
export interface AdminReplayDeliveries extends Omit<Contract.AdminReplayDeliveries, "dry_run"> {}

/** An object changed: fetch it, if you show it. */
export interface ThingChanged extends Contract.ChangedThing {
  readonly event: "change"
}

/** Objects of these kinds changed, too many to name: fetch those that you show. */
export interface ManyChanged extends Contract.ChangedThings {
  readonly event: "many"
}

/** Changes were missed: fetch everything that you show. */
export interface ChangesMissed {
  readonly event: "reset"
}

/** A change in an account. */
export type AccountChange = ThingChanged | ManyChanged | ChangesMissed
