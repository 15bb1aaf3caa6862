/** The types of the runner API: those of the contract, and some for runners. */
import type * as Contract from "./Runner.generated.ts"

export type * from "./Runner.generated.ts"

/** What the service says about work that a runner believes to hold. In `lost`: the runner no longer holds it. */
export type News = Pick<Contract.ClaimAnswer, "commands" | "lost">

/** Progress. The service keeps the latest. */
export type Progress = NonNullable<Contract.Beat["progress"]>

/** A line of the log, as it is sent. */
export type SaidLine = Contract.SaidLine

/** How much a line matters. */
export type LogLevel = "debug" | "info" | "warn" | "error"

/** What follows the end of an attempt. */
export type Ending = Pick<Contract.Completed, "retry_in_ms" | "status">

/** A captured file, without the lease of its upload. */
export type ArtifactFields = Omit<Contract.RegisterArtifact, "epoch">

/** The outcome of an attempt. A result is any JSON object. */
export type Outcome = Ended & {
  /** The last lines of the log. */
  readonly logs?: ReadonlyArray<SaidLine> | undefined
}

type Ended =
  | { readonly outcome: "completed"; readonly result?: object }
  | {
      readonly outcome: "error"
      readonly error: {
        readonly message: string
        readonly retryable: boolean
        readonly delay_ms?: number | undefined
      }
    }
  | { readonly outcome: "cancelled"; readonly error: { readonly message: string } }

export interface ClaimWork extends Omit<Contract.ClaimWork, "outcomes"> {
  /** Older services, which give no `outcomes` in their answers, do not know it. */
  readonly outcomes?: ReadonlyArray<Contract.LeaseRef & Outcome>
}

export interface ClaimAnswer extends Omit<Contract.ClaimAnswer, "outcomes"> {
  /** The service's answer to each of the claim's `outcomes`; older services give none. */
  readonly outcomes?: ReadonlyArray<Contract.OutcomeAnswer>
}
