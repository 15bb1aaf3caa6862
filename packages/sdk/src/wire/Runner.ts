/** The types of the runner API: those of the contract, and what runners know beside it. */
import type * as Contract from "./Runner.generated.ts"

export type * from "./Runner.generated.ts"

/** What the service says about work that a runner believes to hold. In `lost`: somebody else has it, or nobody. */
export type News = Pick<Contract.ClaimAnswer, "commands" | "lost">

/** How far work has come. The service keeps the latest. */
export type Progress = NonNullable<Contract.Beat["progress"]>

/** What follows the end of an attempt. */
export type Ending = Pick<Contract.Completed, "retry_in_ms" | "status">

/** A captured file, but for the lease that it is announced under. */
export type ArtifactFields = Omit<Contract.RegisterArtifact, "epoch">

/** How work ended. A result is any object that JSON can hold. */
export type Outcome =
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
  /** Older services do not know it: those that give no `outcomes` with their answers. */
  readonly outcomes?: ReadonlyArray<Contract.LeaseRef & Outcome>
}

export interface ClaimAnswer extends Omit<Contract.ClaimAnswer, "outcomes"> {
  /** What became of each of the `outcomes` that the claim brought; older services give none at all. */
  readonly outcomes?: ReadonlyArray<Contract.OutcomeAnswer>
}
