/** Alerts and their targets in memory. */
import { allowanceFor } from "@runhook/core/alerts/AlertAllowance"
import { Alert, alertKey } from "@runhook/core/alerts/Alert"
import { AlertTarget } from "@runhook/core/alerts/AlertTarget"
import type { AlertTargetId } from "@runhook/core/shared/Ids"
import {
  type AlertOwner,
  AlertStore,
  AlertTargetLimitReached,
  AlertTargetNotFound,
  type AlertTargetRef
} from "@runhook/core/alerts/AlertStore"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { makeAudited } from "../audit/Audited.ts"
import { MemoryDatabase } from "../MemoryDatabase.ts"
import { storedAs } from "../tables/StoredAs.ts"
import { transaction } from "../tables/Transaction.ts"
import { troublesOf } from "./Troubles.ts"

const stored = storedAs(AlertTarget)
const storedAlert = storedAs(Alert)

export const layer = Layer.effect(
  AlertStore,
  Effect.gen(function* () {
    const tables = yield* MemoryDatabase
    const { alerts, alertTargets } = tables
    const audited = yield* makeAudited
    let turn = { number: 0, until: DateTime.makeUnsafe(0) }

    const ofOwner = (owner: AlertOwner) =>
      Array.filter(alertTargets.values(), ({ accountId }) => accountId === owner)

    const find = ({ id, owner }: AlertTargetRef) => {
      const target = alertTargets.get(id)
      return target === undefined || target.accountId !== owner
        ? Result.fail(new AlertTargetNotFound({ id }))
        : Result.succeed(target)
    }

    const change = (id: AlertTargetId, to: (target: AlertTarget) => AlertTarget | undefined) => {
      const target = alertTargets.get(id)
      const changed = target && to(target)
      if (changed !== undefined) alertTargets.set(id, stored(changed))
      return changed !== undefined
    }

    return AlertStore.of({
      addTarget: (target, { audit, limit }) =>
        audited((note) => {
          if (ofOwner(target.accountId).length >= limit)
            return Result.fail(new AlertTargetLimitReached({ limit }))
          note(audit?.(target))
          alertTargets.set(target.id, stored(target))
          return Result.void
        }),

      targetsOf: (owner) => Effect.sync(() => ofOwner(owner)),

      targets: Effect.sync(() =>
        Array.filter(
          alertTargets.values(),
          ({ accountId }) => accountId === null || tables.accounts.has(accountId)
        )
      ),

      getTarget: (ref) => transaction(() => find(ref)),

      changeTarget: (ref, { at, audit, change: fields }) =>
        audited((note) =>
          Result.map(find(ref), (before) => {
            const after = stored({ ...before, ...fields, updatedAt: at })
            note(audit?.(before, after))
            alertTargets.set(ref.id, after)
            return after
          })
        ),

      removeTarget: (ref, audit) =>
        audited((note) =>
          Result.map(find(ref), (target) => {
            note(audit?.(target))
            alertTargets.delete(ref.id)
          })
        ),

      takeTurn: ({ at, until }) =>
        Effect.sync(() => {
          if (alertTargets.size === 0 || DateTime.isGreaterThan(turn.until, at)) return null
          turn = { number: turn.number + 1, until }
          return turn.number
        }),

      troubles: (at) =>
        Effect.sync(() => ({
          troubles: troublesOf(tables, at).filter(({ accountId }) => tables.accounts.has(accountId)),
          isWhole: true
        })),

      alerts: (owner) =>
        Effect.sync(() =>
          Array.filter(
            alerts.values(),
            ({ accountId }) => (owner === null || accountId === owner) && tables.accounts.has(accountId)
          )
        ),

      replaceAlerts: ({ alerts: all, turn: number }) =>
        Effect.sync(() => {
          if (number !== turn.number) return false
          alerts.clear()
          for (const alert of all) alerts.set(alertKey(alert), storedAlert(alert))
          return true
        }),

      useAllowances: (allowances, at) =>
        Effect.sync(() => {
          const { alertAllowances: kept } = tables
          for (const [subject, { since }] of kept) {
            if (DateTime.isLessThanOrEqualTo(DateTime.addDuration(since, allowanceFor), at))
              kept.delete(subject)
          }
          const used = allowances.map(({ max, subject }) => {
            const { remaining, since } = kept.get(subject) ?? { since: at, remaining: max }
            return [subject, { since, remaining: remaining - 1 }] as const
          })
          if (used.some(([, { remaining }]) => remaining < 0)) return false
          for (const [subject, allowance] of used) kept.set(subject, allowance)
          return true
        }),

      beginAttempt: ({ attempts, id }, until) =>
        Effect.sync(() =>
          change(id, (target) =>
            target.attempts === attempts
              ? { ...target, attempts: attempts + 1, nextAttemptAt: until }
              : undefined
          )
        ),

      endAttempt: ({ attempts, id, sent }) =>
        Effect.sync(() => {
          change(id, (target) => (target.attempts === attempts ? { ...target, ...sent } : undefined))
        })
    })
  })
)
