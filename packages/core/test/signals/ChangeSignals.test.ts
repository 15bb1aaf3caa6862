import { assert, describe } from "@effect/vitest"
import type { ExecutionStatus } from "@runhook/core/executions/ExecutionStatus"
import { Signals, type Topic } from "@runhook/core/signals/Signals"
import type { Deliveries } from "@runhook/core/deliveries/Deliveries"
import { Executions } from "@runhook/core/executions/Executions"
import { Inputs } from "@runhook/core/runs/Inputs"
import { Runs } from "@runhook/core/runs/Runs"
import { adapters, stores, useCases } from "@runhook/test-support/engine/Engine"
import { makeClaimedRun, makeRunner, makeStartedRun, newQuestion } from "@runhook/test-support/engine/Runner"
import {
  deliveriesOf,
  executionsOf,
  makeTenant,
  newCall,
  type Tenant
} from "@runhook/test-support/engine/Tenant"
import { testOn } from "@runhook/test-support/TestOn"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"

/** What is done when signals are sent, before anybody is woken by them. */
class OnSignal extends Context.Service<
  OnSignal,
  Ref.Ref<(topics: ReadonlyArray<Topic>) => Effect.Effect<void>>
>()("@runhook/core/test/signals/OnSignal") {
  static readonly layer = Layer.effect(
    OnSignal,
    Ref.make((_topics: ReadonlyArray<Topic>): Effect.Effect<void> => Effect.void)
  )
}

const watchedSignals = Layer.effect(
  Signals,
  Effect.gen(function* () {
    const signals = yield* Signals
    const onSignal = yield* OnSignal
    return Signals.of({
      ...signals,
      notify: Effect.fnUntraced(function* (topics) {
        yield* (yield* Ref.get(onSignal))(topics)
        yield* signals.notify(topics)
      })
    })
  })
)

const watchedEngine = useCases.pipe(
  Layer.provideMerge(watchedSignals),
  Layer.provideMerge(adapters),
  Layer.provideMerge(Layer.merge(stores, OnSignal.layer))
)

const test = testOn(watchedEngine)

/** What is stored of the tenant's newest execution: its status, and how many callbacks. */
interface Stored {
  readonly status: ExecutionStatus | undefined
  readonly callbacks: number
}

/** From now on, notes for each signal of an execution what is stored by then. */
const storedAtSignals = Effect.fnUntraced(function* (tenant: Tenant) {
  const context = yield* Effect.context<Deliveries | Executions>()
  const seen = yield* Ref.make<ReadonlyArray<Stored>>([])
  const look = Effect.gen(function* () {
    const [execution] = yield* executionsOf(tenant)
    const stored = { status: execution?.status, callbacks: (yield* deliveriesOf(tenant)).length }
    yield* Ref.update(seen, (before) => [...before, stored])
  }).pipe(Effect.provide(context))
  yield* Ref.set(yield* OnSignal, (topics) =>
    topics.some((topic) => topic.startsWith("execution:")) ? look : Effect.void
  )
  return Ref.get(seen)
})

/** From now on, notes the topics that are signalled. */
const topicsSignalled = Effect.gen(function* () {
  const seen = yield* Ref.make<ReadonlyArray<Topic>>([])
  yield* Ref.set(yield* OnSignal, (topics) => Ref.update(seen, (before) => [...before, ...topics]))
  return Ref.get(seen)
})

const outcome = { _tag: "Completed", result: null } as const

describe("A change is signalled", () => {
  test("only after it was stored, together with its callback", function* () {
    const runs = yield* Runs
    const tenant = yield* makeTenant()
    const runner = yield* makeRunner(tenant)
    const seen = yield* storedAtSignals(tenant)

    const { execution, held } = yield* makeStartedRun(tenant, runner, {
      callbackUrl: "https://hooks.example.com/in"
    })
    const { input } = yield* runs.ask({ ...held, question: newQuestion() })
    yield* (yield* Inputs).answer({ ...execution, inputId: input.id, value: "1234" })
    yield* runs.finish({ ...held, outcome })

    assert.deepStrictEqual(yield* seen, [
      { status: "queued", callbacks: 1 },
      { status: "running", callbacks: 2 },
      { status: "awaiting_input", callbacks: 2 },
      { status: "running", callbacks: 2 },
      { status: "completed", callbacks: 3 }
    ])
  })

  test("to its callers, to runners with room, to the runner that had it, to the dispatcher, and to who watches the account", function* () {
    const tenant = yield* makeTenant()
    const runner = yield* makeRunner(tenant)
    const { execution } = yield* makeStartedRun(tenant, runner, {
      callbackUrl: "https://hooks.example.com/in"
    })
    const { accountId } = tenant.caller
    const signalled = yield* topicsSignalled

    yield* (yield* Executions).stop({ ...execution, to: "aborted", reason: null })

    const [newest] = yield* deliveriesOf(tenant)
    assert.deepStrictEqual(yield* signalled, [
      `execution:${execution.id}`,
      `room:${accountId}:${tenant.agent.id}`,
      `session:${runner.sessionId}`,
      "deliveries",
      `changed:${accountId}:execution:${execution.id}:aborted:known`,
      `changed:${accountId}:delivery:${newest?.delivery.id}:pending:new`
    ])
  })

  test("to no poll of the runner that made it", function* () {
    const tenant = yield* makeTenant()
    const { held } = yield* makeClaimedRun(tenant, yield* makeRunner(tenant))
    const signalled = yield* topicsSignalled

    yield* (yield* Runs).start(held)
    yield* (yield* Runs).finish({ ...held, outcome })

    const kinds = (yield* signalled).map((topic) => topic.slice(0, topic.indexOf(":")))
    assert.deepStrictEqual(kinds, ["execution", "changed", "execution", "room", "changed"])
  })

  test("to no dispatcher when no callback is wanted, and to no runner when it concerns none", function* () {
    const call = newCall(yield* makeTenant(), { isHeld: true })
    const { execution } = yield* (yield* Executions).create(call)
    const signalled = yield* topicsSignalled

    yield* (yield* Executions).stop({ ...execution, to: "aborted", reason: null })

    assert.deepStrictEqual(yield* signalled, [
      `execution:${execution.id}`,
      `changed:${execution.accountId}:execution:${execution.id}:aborted:known`
    ])
  })

  test("once: a repeat that changes nothing signals nothing", function* () {
    const [executions, runs] = [yield* Executions, yield* Runs]
    const tenant = yield* makeTenant()
    const { execution, held } = yield* makeClaimedRun(tenant, yield* makeRunner(tenant))
    yield* runs.start(held)
    yield* runs.finish({ ...held, outcome })
    const call = { ...newCall(tenant), idempotencyKey: "order-7" }
    yield* executions.create(call)
    const signalled = yield* topicsSignalled

    yield* runs.finish({ ...held, outcome })
    yield* executions.stop({ ...execution, to: "aborted", reason: null })
    yield* executions.create(call)

    assert.deepStrictEqual(yield* signalled, [])
  })

  test("not at all when it was refused", function* () {
    const tenant = yield* makeTenant()
    const { held } = yield* makeClaimedRun(tenant, yield* makeRunner(tenant))
    const signalled = yield* topicsSignalled

    yield* Effect.flip((yield* Runs).finish({ ...held, outcome }))

    assert.deepStrictEqual(yield* signalled, [])
  })
})
