/** What every RunStore does with work that is created while a poll of its process waits for it. */
import { assert } from "@effect/vitest"
import { AgentStore } from "@runhook/core/catalog/AgentStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { HistoryStore } from "@runhook/core/executions/history/HistoryStore"
import { presentMax, type RunnerSession } from "@runhook/core/runs/sessions/RunnerSession"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeAgent } from "../catalog/CatalogFixtures.ts"
import {
  callbackUrl,
  eventsOf,
  makeExecution,
  makeTenant,
  newExecution,
  plenty,
  second,
  type Stores,
  type Tenant,
  unlimited
} from "../Fixtures.ts"
import {
  claimUpTo,
  idsOf,
  lease,
  makeSession,
  makeWaitingPoll,
  startDeadline,
  writeTo
} from "./RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

const unbounded = { concurrency: "unbounded" } as const

/** A tenant whose runner waits for work. */
const makeWaiter = Effect.fnUntraced(function* (options: Parameters<typeof makeWaitingPoll>[1] = {}) {
  const tenant = yield* makeTenant()
  const poll = yield* makeWaitingPoll(yield* makeSession(tenant), options)
  return { tenant, poll }
})

type Fields = Parameters<typeof makeExecution>[1]

/** What becomes of work that is created at second 5 while a poll waits. */
const createdWith = Effect.fnUntraced(function* ({
  fields,
  holds,
  older
}: {
  /** Of the work that is created. */
  readonly fields?: Fields
  /** Of work that waits since second 1. */
  readonly older?: Fields
  /** What happens to the poll before. */
  readonly holds?: (tenant: Tenant, session: RunnerSession) => Effect.Effect<unknown, unknown, Stores>
}) {
  const tenant = yield* makeTenant()
  if (older !== undefined) yield* makeExecution(tenant, { createdAt: second(1), ...older })
  const poll = yield* makeWaitingPoll(yield* makeSession(tenant))
  if (holds !== undefined) yield* Effect.orDie(holds(tenant, poll.session))
  const execution = yield* makeExecution(tenant, { createdAt: second(5), ...fields })
  const { lease: held } = yield* (yield* RunStore).get(execution)
  assert.strictEqual(held?.sessionId, poll.begun[0]?.run.lease?.sessionId)
  return poll.ends()
})

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("RunStore hand-over", { layer, name }, (it) => {
    it.effect("stores a new run as claimed by the poll that waits, and hands over what it stores", () =>
      Effect.gen(function* () {
        const store = yield* RunStore
        const { poll, tenant } = yield* makeWaiter()
        const { claimId, session } = poll

        const execution = yield* makeExecution(tenant, { createdAt: second(5) })

        assert.deepStrictEqual(poll.ends(), ["begun"])
        assert.strictEqual(execution.epoch, 0)
        const [change] = poll.begun
        assert.deepStrictEqual(change?.run, yield* store.get(execution))
        assert.deepStrictEqual(change?.run.execution, { ...execution, epoch: 1 })
        const expiresAt = DateTime.addDuration(second(5), startDeadline)
        assert.deepStrictEqual(change?.run.lease, { sessionId: session.id, claimId, epoch: 1, expiresAt })
        assert.deepStrictEqual(
          (yield* claimUpTo(yield* makeSession(tenant), { limit: 10, at: second(6) })).claims,
          []
        )
      })
    )

    it.test("answers the claim of the poll that is repeated with what was handed over", function* () {
      const store = yield* RunStore
      const { poll, tenant } = yield* makeWaiter({ isStarting: true })
      const { claimId, session } = poll
      const { id } = yield* makeExecution(tenant, { createdAt: second(5) })
      yield* makeExecution(tenant, { createdAt: second(6) })

      const { claims } = yield* store.claim({ session, claimId, limit: 10, startDeadline, at: second(7) })

      assert.deepStrictEqual(idsOf(claims), [id])
      assert.deepStrictEqual(claims[0]?.run, poll.begun[0]?.run)
    })

    it.test("starts it for a poll that starts its work, and has its history and its time", function* () {
      const store = yield* RunStore
      const { poll, tenant } = yield* makeWaiter({ isStarting: true })

      const execution = yield* makeExecution(tenant, {
        createdAt: second(5),
        timeoutSeconds: 30,
        expiresAt: second(60)
      })

      const run = yield* store.get(execution)
      assert.deepStrictEqual(poll.begun[0]?.run, run)
      assert.deepInclude(run.execution, { status: "running", attempt: 1, startedAt: second(5) })
      assert.deepStrictEqual(run.deadlineAt, second(35))
      const events = yield* (yield* HistoryStore).events({ ...execution, after: 0, limit: 9 })
      assert.deepStrictEqual(
        events.map(({ attempt, sequence, status, type }) => [sequence, type, status, attempt]),
        [
          [1, "created", "queued", 0],
          [2, "claimed", "queued", 0],
          [3, "started", "running", 1]
        ]
      )
      const ended = yield* store.finish({
        ...writeTo(run, second(6)),
        outcome: { _tag: "Completed", result: null },
        fingerprint: "same"
      })
      assert.strictEqual(ended.run.execution.status, "completed")
    })

    it.test("only claims what is called back about its start, whose events keep their order", function* () {
      const store = yield* RunStore
      const { poll, tenant } = yield* makeWaiter({ isStarting: true })

      const execution = yield* makeExecution(tenant, { callbackUrl, createdAt: second(5) })
      const [change] = poll.begun
      const claimed = change?.run ?? assert.fail()
      const before = yield* eventsOf(execution)
      yield* store.start({ ...writeTo(claimed, second(6)), lease })

      assert.strictEqual(claimed.execution.status, "queued")
      assert.deepStrictEqual(before, ["execution.queued"])
      assert.deepStrictEqual(yield* eventsOf(execution), ["execution.queued", "execution.started"])
    })

    it.test("hands over nothing that passes what is older or goes first", function* () {
      const first: ReadonlyArray<Fields> = [{}, { priority: 1 }, { scheduledAt: second(4) }]
      const after: ReadonlyArray<Fields> = [{ priority: -1 }, { scheduledAt: second(9), priority: 9 }]

      const told = yield* Effect.forEach([...first, ...after], (older) => createdWith({ older }))

      assert.deepStrictEqual(told, [["freed"], ["freed"], ["freed"], ["begun"], ["begun"]])
    })

    it.test("hands over nothing to who may not have it", function* () {
      const runs = yield* RunStore
      const agents = yield* AgentStore
      const at = second(1)

      const told = [
        yield* createdWith({
          holds: ({ accountId }, { id }) => runs.closeSession({ accountId, id, at })
        }),
        yield* createdWith({
          holds: ({ accountId }, { id }) => runs.drainSession({ accountId, id, at })
        }),
        yield* createdWith({
          holds: (_, session) => runs.beat({ session, isDraining: true, inFlight: [], lease, at })
        }),
        yield* createdWith({
          holds: (tenant, session) =>
            Effect.flatMap(makeAgent(tenant.accountId), ({ id }) =>
              runs.openSession({ session: { ...session, agentIds: [id] }, presentMax })
            )
        }),
        yield* createdWith({
          holds: ({ accountId, agentId: id }) =>
            agents.update({ accountId, id, at, change: { state: "paused" } })
        })
      ]

      assert.deepStrictEqual(told, [["freed"], ["freed"], ["freed"], ["freed"], ["freed"]])
    })

    it.test("asks for no place for what is not due", function* () {
      const fields: ReadonlyArray<Fields> = [{ scheduledAt: second(6) }, { status: "pending" }]

      assert.deepStrictEqual(yield* Effect.forEach(fields, (each) => createdWith({ fields: each })), [[], []])
    })

    it.test("hands over nothing for which the agent has no free slot", function* () {
      const tenant = yield* makeTenant({ capacity: 1 })
      const poll = yield* makeWaitingPoll(yield* makeSession(tenant), { places: 2 })

      yield* Effect.replicateEffect(makeExecution(tenant), 2)

      assert.deepStrictEqual(poll.ends(), ["begun", "freed"])
    })

    it.test("hands over one of equal creates at once, and nothing that is refused", function* () {
      const store = yield* ExecutionStore
      const { poll, tenant } = yield* makeWaiter({ places: plenty })
      const idempotency = { key: "once", fingerprint: "same", expiresAt: second(900) }
      const executions = yield* Effect.replicateEffect(newExecution(tenant), 5)

      const made = yield* Effect.forEach(
        executions,
        (execution) => store.create({ ...unlimited, execution, idempotency }),
        unbounded
      )

      const refused = yield* newExecution(tenant)
      yield* Effect.exit(store.create({ ...unlimited, execution: refused, accountMaxLive: 0 }))

      const ids = new Set(made.map(({ change }) => change.run.execution.id))
      assert.deepStrictEqual(
        poll.begun.map(({ run }) => run.execution.id),
        [...ids]
      )
      assert.notInclude(poll.ends(), "doubted")
    })

    it.test("gives racing polls each run once, and no agent more than its capacity", function* () {
      const tenant = yield* makeTenant({ capacity: 5 })
      const other = { ...tenant, agentId: (yield* makeAgent(tenant.accountId, { capacity: 2 })).id }
      const polls = yield* Effect.replicateEffect(
        Effect.flatMap(makeSession(tenant), (session) => makeWaitingPoll(session, { places: 3 })),
        4
      )
      const session = yield* makeSession(tenant)

      const claims = yield* Effect.forEach(
        Array.from({ length: 40 }, (_, place) => place),
        (place) =>
          Effect.andThen(
            makeExecution(place % 2 === 0 ? tenant : other, { createdAt: second(5) }),
            place % 10 === 0 ? claimUpTo(session, { limit: 1, at: second(5) }) : Effect.undefined
          ),
        unbounded
      )

      const given = [
        ...polls.flatMap(({ begun }) => begun.map(({ run }) => run)),
        ...claims.flatMap((answer) => answer?.claims.map(({ run }) => run) ?? [])
      ]
      const idsFor = (agentId: string) =>
        given.filter(({ execution }) => execution.agentId === agentId).map(({ execution }) => execution.id)
      for (const [agent, capacity] of [
        [tenant.agentId, 5],
        [other.agentId, 2]
      ] as const) {
        assert.isAtMost(idsFor(agent).length, capacity)
        assert.strictEqual(new Set(idsFor(agent)).size, idsFor(agent).length)
      }
      assert.isNotEmpty(polls.flatMap(({ begun }) => begun))
    })

    it.test("takes back by its lease what a poll never got, under a new epoch", function* () {
      const store = yield* RunStore
      const { poll, tenant } = yield* makeWaiter()
      const execution = yield* makeExecution(tenant, { createdAt: second(5) })
      const lost = poll.begun[0]?.run ?? assert.fail()

      yield* (yield* SweepStore).expireLeases({ at: second(66), limit: plenty })
      const { claims } = yield* claimUpTo(yield* makeSession(tenant), { limit: 1, at: second(67) })

      assert.deepStrictEqual(idsOf(claims), [execution.id])
      assert.strictEqual(claims[0]?.run.execution.epoch, 3)
      const refused = yield* Effect.flip(store.start({ ...writeTo(lost, second(68)), lease }))
      assert.strictEqual(refused._tag, "LeaseLost")
    })
  })
