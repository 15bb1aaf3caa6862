/** Keeps alerts and their targets, and looks for what is wrong. */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Alert, TroubleLook } from "./Alert.ts"
import type { AlertAllowance } from "./AlertAllowance.ts"
import type { AlertTarget, AlertTargetChange, Sent } from "./AlertTarget.ts"
import type { Audit } from "../audit/AuditEntry.ts"
import { type AccountId, AlertTargetId } from "../shared/Ids.ts"

/** No such target of the account, or of the operator. */
export class AlertTargetNotFound extends Schema.TaggedError<AlertTargetNotFound>()("AlertTargetNotFound", {
  id: AlertTargetId
}) {
  override get message() {
    return `There is no alert target ${this.id}`
  }
}

/** The account, or the operator, has as many targets as it may. */
export class AlertTargetLimitReached extends Schema.TaggedError<AlertTargetLimitReached>()(
  "AlertTargetLimitReached",
  { limit: Schema.Int }
) {
  override get message() {
    return `There may be ${this.limit} alert targets`
  }
}

/** Whose targets and alerts: those of an account; null: the operator's targets, and the alerts of all accounts. */
export type AlertOwner = AccountId | null

export interface AlertTargetRef {
  readonly owner: AlertOwner
  readonly id: AlertTargetId
}

export class AlertStore extends Context.Service<
  AlertStore,
  {
    /** Adds a target, unless its owner has `limit` of them. */
    addTarget(
      target: AlertTarget,
      options: { readonly limit: number; readonly audit?: Audit<[AlertTarget]> | undefined }
    ): Effect.Effect<void, AlertTargetLimitReached>

    /** The targets of an owner, oldest first. */
    targetsOf(owner: AlertOwner): Effect.Effect<ReadonlyArray<AlertTarget>>

    /** The targets of all owners; not those of removed accounts. */
    targets: Effect.Effect<ReadonlyArray<AlertTarget>>

    getTarget(ref: AlertTargetRef): Effect.Effect<AlertTarget, AlertTargetNotFound>

    changeTarget(
      ref: AlertTargetRef,
      options: {
        readonly change: AlertTargetChange
        readonly at: DateTime.Utc
        readonly audit?: Audit<[before: AlertTarget, after: AlertTarget]> | undefined
      }
    ): Effect.Effect<AlertTarget, AlertTargetNotFound>

    removeTarget(
      ref: AlertTargetRef,
      audit?: Audit<[AlertTarget]> | undefined
    ): Effect.Effect<void, AlertTargetNotFound>

    /**
     * Takes the turn to look, until a moment: null while another process has it, or
     * when there are no targets. Of all who ask, one gets it. The answer is the number
     * of the turn.
     */
    takeTurn(options: {
      readonly at: DateTime.Utc
      readonly until: DateTime.Utc
    }): Effect.Effect<number | null>

    /** What is wrong now in all accounts, within the bounds of `namedMax`; of those that can be read. Locks nothing. */
    troubles(at: DateTime.Utc): Effect.Effect<TroubleLook>

    /** All alerts that are kept, of an account or of all that are not removed. */
    alerts(owner: AlertOwner): Effect.Effect<ReadonlyArray<Alert>>

    /** Keeps these alerts and no others, unless the turn has gone to somebody else by now; answers whether it did. */
    replaceAlerts(options: {
      readonly turn: number
      readonly alerts: ReadonlyArray<Alert>
    }): Effect.Effect<boolean>

    /**
     * Uses up one message of every allowance, each of which is whole again `allowanceFor` after its first use. Answers
     * false, and uses up none, if one of them has nothing left.
     */
    useAllowances(allowances: ReadonlyArray<AlertAllowance>, at: DateTime.Utc): Effect.Effect<boolean>

    /**
     * Begins an attempt to send something to a target, and keeps others from it until a
     * moment. Answers false if another attempt has begun since the target was read, or
     * if it is gone.
     */
    beginAttempt(target: AlertTarget, until: DateTime.Utc): Effect.Effect<boolean>

    /** Stores what an attempt left, unless another has begun since. `attempts` is that of this attempt. */
    endAttempt(options: {
      readonly id: AlertTargetId
      readonly attempts: number
      readonly sent: Sent
    }): Effect.Effect<void>
  }
>()("@runhook/core/alerts/AlertStore") {}
