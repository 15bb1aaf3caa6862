/** Alerts and targets of tests. */
import { type Alert, AlertKind } from "@runhook/core/domain/alert/Alert"
import type { AlertTarget } from "@runhook/core/domain/alert/AlertTarget"
import { type AccountId, AlertTargetId } from "@runhook/core/domain/Ids"
import { AlertStore } from "@runhook/core/ports/AlertStore"
import * as Effect from "effect/Effect"
import { idAt, plenty, second } from "../Fixtures.ts"

/** A target that is not stored yet; the operator's, unless told otherwise. */
export const newTarget = Effect.fnUntraced(function* (fields: Partial<AlertTarget> = {}) {
  const target: AlertTarget = {
    id: yield* idAt(AlertTargetId, second(0)),
    accountId: null,
    channel: "webhook",
    address: "https://alerts.example/hook?token=secret",
    kinds: AlertKind.literals,
    pausedUntil: null,
    ciphertext: "sealed",
    told: {},
    attempts: 0,
    failures: 0,
    nextAttemptAt: null,
    lastSentAt: null,
    lastError: null,
    createdAt: second(0),
    updatedAt: second(0),
    ...fields
  }
  return target
})

export const aTarget = Effect.fnUntraced(function* (fields: Partial<AlertTarget> = {}) {
  const target = yield* newTarget(fields)
  yield* AlertStore.use((store) => store.addTarget(target, { limit: plenty }))
  return target
})

/** An alert that opened in the first second. */
export const anAlert = (accountId: AccountId, fields: Partial<Alert> = {}): Alert => ({
  accountId,
  kind: "no_runner",
  subject: "agent-1",
  name: "Clerk",
  count: 3,
  since: second(-300),
  seenAt: second(0),
  lastSeenAt: second(0),
  openedAt: second(0),
  closedAt: null,
  ...fields
})
