/** Every intervention in the work of an account that the audit log tells of. */
import {
  deliveryReplayed,
  deliveryTried,
  executionCreated,
  executionReleased,
  executionRemoved,
  executionRescheduled,
  executionStopped,
  inputAnswered,
  replayBegun,
  replayCancelled,
  testQueued
} from "@runhook/core/audit/ActivityEvents"
import { newDelivery } from "@runhook/core/deliveries/Delivery"
import { allDead, newReplayJob } from "@runhook/core/replays/ReplayJob"
import type { Execution } from "@runhook/core/executions/Execution"
import { EventId, InputId, newId, ReplayId } from "@runhook/core/shared/Ids"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { ReplayStore } from "@runhook/core/replays/ReplayStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { makeDeadDelivery, makeDelivery, makeSender } from "../deliveries/DeliveryFixtures.ts"
import { makeExecution, makeTenant, newExecution, second, unlimited } from "../Fixtures.ts"
import { type Arrangement, by, jana } from "./AuditFixtures.ts"

const makeExecutionOf = Effect.fnUntraced(function* (status: "pending" | "queued") {
  const executions = yield* ExecutionStore
  const { accountId, apiKeyId, id, reference, taskId } = yield* makeExecution(yield* makeTenant(), { status })
  return {
    accountId,
    apiKeyId,
    id,
    taskId,
    executions,
    which: { accountId, id, at: second(1) },
    shown: {
      accountId,
      subject: { kind: "execution", id, name: reference } as const,
      seen: executions.get(accountId, id)
    }
  }
})

const stopExecution: Arrangement = Effect.gen(function* () {
  const { executions, shown, which } = yield* makeExecutionOf("queued")
  return {
    ...shown,
    act: (actor) =>
      executions.stop({
        ...which,
        to: "cancelled",
        reason: "Wrong month",
        audit: by(actor, executionStopped)
      }),
    action: "execution.stopped",
    before: null,
    after: { status: "cancelled", status_reason: "Wrong month" }
  }
})

const releaseExecution: Arrangement = Effect.gen(function* () {
  const { executions, shown, which } = yield* makeExecutionOf("pending")
  return {
    ...shown,
    act: (actor) => executions.release({ ...which, audit: by(actor, executionReleased) }),
    action: "execution.released",
    before: { status: "pending" },
    after: { status: "queued" }
  }
})

const removeExecution: Arrangement = Effect.gen(function* () {
  const { accountId, apiKeyId, executions, id, shown, taskId, which } = yield* makeExecutionOf("pending")
  yield* executions.stop({ ...which, to: "cancelled", reason: null })
  return {
    ...shown,
    seen: Effect.exit(executions.get(accountId, id)),
    act: (actor) => executions.remove({ accountId, id, audit: by(actor, executionRemoved) }),
    action: "execution.removed",
    before: {
      status: "cancelled",
      key_id: apiKeyId,
      task_id: taskId,
      stopped_at: "2030-01-01T00:00:01.000Z"
    },
    after: null
  }
})

const createExecution: Arrangement = Effect.gen(function* () {
  const executions = yield* ExecutionStore
  const execution = yield* newExecution(yield* makeTenant())
  const { accountId, apiKeyId, id, reference, taskId } = execution
  return {
    accountId,
    subject: { kind: "execution", id, name: reference },
    seen: Effect.option(executions.get(accountId, id)),
    act: (actor) => executions.create({ ...unlimited, execution, audit: by(actor, executionCreated) }),
    action: "execution.created",
    before: null,
    after: { status: "queued", key_id: apiKeyId, task_id: taskId, rerun_of: null }
  }
})

const rescheduleExecution: Arrangement = Effect.gen(function* () {
  const { executions, shown, which } = yield* makeExecutionOf("queued")
  return {
    ...shown,
    act: (actor) =>
      executions.reschedule({ ...which, change: { priority: 9 }, audit: by(actor, executionRescheduled) }),
    action: "execution.rescheduled",
    before: null,
    after: { priority: 9, scheduled_at: null, expires_at: null }
  }
})

const queueTest: Arrangement = Effect.gen(function* () {
  const { accountId, apiKeyId } = yield* makeSender()
  const deliveries = yield* DeliveryStore
  const id = yield* newId(EventId)
  const delivery = newDelivery(
    {
      id,
      accountId,
      apiKeyId,
      executionId: null,
      revision: null,
      type: "webhook.test",
      url: "https://example.com/hook?token=for-the-receiver-alone",
      requestId: "req_test",
      reference: null,
      body: "{}"
    },
    second(0)
  )
  return {
    accountId,
    act: (actor) => deliveries.enqueue(delivery, by(actor, testQueued)),
    seen: Effect.option(deliveries.get(accountId, id)),
    action: "delivery.test_queued",
    subject: { kind: "delivery", id, name: "webhook.test" },
    before: null,
    after: { key_id: apiKeyId, url_origin: "https://example.com" }
  }
})

const tryDelivery: Arrangement = Effect.gen(function* () {
  const sender = yield* makeSender()
  const { accountId } = sender
  const deliveries = yield* DeliveryStore
  const { id, type } = yield* makeDelivery(sender, { nextAttemptAt: second(60) })
  return {
    accountId,
    act: (actor) => deliveries.tryNow({ accountId, id, at: second(10), audit: by(actor, deliveryTried) }),
    seen: deliveries.get(accountId, id),
    action: "delivery.tried",
    subject: { kind: "delivery", id, name: type },
    before: { next_attempt_at: DateTime.formatIso(second(60)) },
    after: { next_attempt_at: DateTime.formatIso(second(10)) }
  }
})

const replayDelivery: Arrangement = Effect.gen(function* () {
  const sender = yield* makeSender()
  const { accountId } = sender
  const deliveries = yield* DeliveryStore
  const { id, type } = yield* makeDeadDelivery(sender)
  return {
    accountId,
    act: (actor) => deliveries.replay({ accountId, id, at: second(10), audit: by(actor, deliveryReplayed) }),
    seen: deliveries.get(accountId, id),
    action: "delivery.replayed",
    subject: { kind: "delivery", id, name: type },
    before: { state: "dead", round: 1 },
    after: { state: "pending", round: 2 }
  }
})

const beginReplay: Arrangement = Effect.gen(function* () {
  const { accountId, apiKeyId } = yield* makeSender()
  const replays = yield* ReplayStore
  const id = yield* newId(ReplayId)
  const filter = { ...allDead, apiKeyId, from: second(0) }
  return {
    accountId,
    act: (actor) =>
      replays.create(newReplayJob({ id, accountId, filter, expected: 7 }, second(1)), by(actor, replayBegun)),
    seen: Effect.option(replays.get({ accountId, apiKeyId: null, id })),
    action: "replay.begun",
    subject: { kind: "replay", id, name: null },
    before: null,
    after: { status: ["dead"], key_id: apiKeyId, from: "2030-01-01T00:00:00.000Z", expected: 7 }
  }
})

const cancelReplay: Arrangement = Effect.gen(function* () {
  const { accountId } = yield* makeSender()
  const replays = yield* ReplayStore
  const id = yield* newId(ReplayId)
  yield* replays.create(newReplayJob({ id, accountId, filter: allDead, expected: 7 }, second(1)))
  const ref = { accountId, apiKeyId: null, id }
  return {
    accountId,
    act: (actor) => replays.cancel(ref, second(2), by(actor, replayCancelled)),
    seen: replays.get(ref),
    action: "replay.cancelled",
    subject: { kind: "replay", id, name: null },
    before: { status: "running" },
    after: { status: "cancelled", replayed: 0 }
  }
})

export const changes: Readonly<Record<string, Arrangement>> = {
  "an execution in the name of a key": createExecution,
  "an execution that is moved in the queue": rescheduleExecution,
  "a stopped execution": stopExecution,
  "a released execution": releaseExecution,
  "an execution that is removed": removeExecution,
  "a test webhook": queueTest,
  "a delivery that is tried now": tryDelivery,
  "a delivery that is sent again": replayDelivery,
  "a replay that begins": beginReplay,
  "a replay that is called off": cancelReplay
}

/** Changes that find their work done, or nothing to work on: nobody is told of them. */
export const repeats: Readonly<Record<string, Arrangement>> = {
  "an execution that is stopped again": Effect.tap(stopExecution, ({ act }) => act(jana)),
  "an execution that is released again": Effect.tap(releaseExecution, ({ act }) => act(jana)),
  "an answer to no question": Effect.gen(function* () {
    const { executions, shown, which } = yield* makeExecutionOf("queued")
    const inputId = yield* newId(InputId)
    return {
      ...(yield* stopExecution),
      ...shown,
      act: (actor) => {
        const audit = by(actor, (moved: Execution) => inputAnswered(moved, inputId))
        return Effect.flip(executions.answer({ ...which, inputId, value: 1, audit }))
      }
    }
  }),
  "a delivery that is still being delivered": Effect.map(
    Effect.tap(replayDelivery, ({ act }) => act(jana)),
    ({ act, ...replayed }) => ({ ...replayed, act: (actor) => Effect.flip(act(actor)) })
  ),
  "a replay that is called off again": Effect.tap(cancelReplay, ({ act }) => act(jana))
}
