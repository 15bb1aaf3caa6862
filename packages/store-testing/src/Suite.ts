/** What all suites are given: the name of an adapter, its stores, and a way to look behind them. */
import type { AccountId } from "@runhook/core/shared/Ids"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { Stores } from "./Fixtures.ts"

export interface SuiteOptions<R> {
  /**
   * Reads all that the store keeps for an account, sessions aside, as a value that can be compared. One that
   * shows too little fails the suites.
   */
  readonly storedRows: (accountId: AccountId) => Effect.Effect<unknown, unknown, R>
}

/** Holds one side of a store to its port. Most need nothing but the stores. */
export type Suite = <R>(
  name: string,
  layer: Layer.Layer<Stores | R, unknown>,
  options: SuiteOptions<R>
) => void
