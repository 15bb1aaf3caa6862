import { assert, describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import { TestClock } from "effect/testing"
import { test, Waiting } from "../Service.ts"
import {
  claimNow,
  makeClaim,
  makeExecution,
  makeSession,
  makeTenant,
  someWork,
  type Work
} from "../Tenant.ts"

/** Asks for commands only, naming the work in flight, and waits for them unless told how long. */
const listen = ({ claim, runner, session }: Work, wait_ms?: number) =>
  runner.runner.claim({
    payload: {
      session_id: session.session_id,
      claim_id: "listening",
      free_slots: 0,
      in_flight: [{ execution_id: claim.execution_id, epoch: claim.epoch }],
      ...(wait_ms === undefined ? {} : { wait_ms })
    }
  })

const question = {
  input_key: "approval",
  prompt: "Print all 300 pages?",
  schema: { type: "boolean" },
  expires_in_s: 3_600,
  on_timeout: "error"
} as const

describe("what runners are told, over the wire", () => {
  // The clock of the test stands still, so that only a signal can end the waits below.
  test("wakes a parked claim when its work is cancelled", function* () {
    const work = yield* someWork
    const waiting = yield* Waiting
    yield* Queue.clear(waiting)
    const parked = yield* Effect.forkChild(listen(work))
    yield* Queue.take(waiting)

    yield* work.integration.executions.cancel({ params: work.execution, payload: { reason: "Too late" } })

    const { commands, lost } = yield* Fiber.join(parked)
    assert.deepStrictEqual(commands, [
      {
        type: "cancel",
        execution_id: work.claim.execution_id,
        epoch: 1,
        reason: "Too late",
        grace_ms: 30_000
      }
    ])
    assert.deepStrictEqual(lost, [])
  })

  test("wakes a parked claim when work comes", function* () {
    const tenant = yield* makeTenant()
    const session = yield* makeSession(tenant)
    const waiting = yield* Waiting
    yield* Queue.clear(waiting)
    const parked = yield* Effect.forkChild(
      tenant.runner.runner.claim({
        payload: { session_id: session.session_id, claim_id: "parked", free_slots: 1 }
      })
    )
    yield* Queue.take(waiting)

    const created = yield* makeExecution(tenant)

    const { claims } = yield* Fiber.join(parked)
    assert.deepStrictEqual(
      claims.map(({ execution_id }) => execution_id),
      [created.execution_id]
    )
  })

  test("answers a claim in vain when its wait is over", function* () {
    const tenant = yield* makeTenant()
    const session = yield* makeSession(tenant)

    const { claims, commands, lost } = yield* claimNow(tenant, session)

    assert.deepStrictEqual([claims, commands, lost], [[], [], []])
  })

  test("hands an answer to work that held on", function* () {
    const work = yield* someWork
    const asked = yield* work.runner.runner.ask({
      ...work.held,
      payload: { ...work.held.payload, ...question, mode: "hold" }
    })
    yield* work.integration.executions.answer({
      params: { ...work.execution, inputId: asked.input_id },
      payload: { value: true }
    })

    const { commands } = yield* listen(work, 0)

    assert.strictEqual(asked.status, "awaiting_input")
    assert.deepStrictEqual(commands, [
      {
        type: "input_answered",
        execution_id: work.claim.execution_id,
        input_id: asked.input_id,
        value: true
      }
    ])
  })

  test("answers a question that is asked again with what was answered", function* () {
    const work = yield* someWork
    const asking = { ...work.held, payload: { ...work.held.payload, ...question, mode: "hold" as const } }
    const asked = yield* work.runner.runner.ask(asking)
    yield* work.integration.executions.answer({
      params: { ...work.execution, inputId: asked.input_id },
      payload: { value: true }
    })

    const again = yield* work.runner.runner.ask(asking)

    assert.notProperty(asked, "input_answer")
    assert.deepInclude(again, {
      input_id: asked.input_id,
      status: "running",
      input_answer: { input_id: asked.input_id, input_key: "approval", value: true }
    })
  })

  test("hands an answer with the next claim to work that had let go", function* () {
    const work = yield* someWork
    const asked = yield* work.runner.runner.ask({
      ...work.held,
      payload: { ...work.held.payload, ...question, mode: "release" }
    })
    yield* work.integration.executions.answer({
      params: { ...work.execution, inputId: asked.input_id },
      payload: { value: false }
    })

    const { claims } = yield* claimNow(work, work.session)

    assert.deepInclude(claims[0], {
      execution_id: work.claim.execution_id,
      attempt: 1,
      epoch: 2,
      input_answer: { input_id: asked.input_id, input_key: "approval", value: false }
    })
  })

  test("extends the leases of started work by a heartbeat, and says how long each lives", function* () {
    const work = yield* someWork
    yield* TestClock.adjust("40 seconds")

    const { leases, lost } = yield* work.runner.runner.heartbeat({
      payload: {
        session_id: work.session.session_id,
        beats: [
          {
            ...work.held.payload,
            execution_id: work.claim.execution_id,
            progress: { percent: 50, step: "print" }
          },
          { execution_id: work.claim.execution_id, epoch: 7 }
        ]
      }
    })

    assert.deepStrictEqual(leases, [{ execution_id: work.claim.execution_id, lease_ms: 60_000 }])
    assert.deepStrictEqual(lost, [{ execution_id: work.claim.execution_id, epoch: 7 }])
  })

  test("leaves claimed work its deadline to start, whatever its runner beats", function* () {
    const { claim, held, runner, session } = yield* makeClaim()
    yield* TestClock.adjust("40 seconds")

    const { leases } = yield* runner.runner.heartbeat({
      payload: {
        session_id: session.session_id,
        beats: [{ ...held.payload, execution_id: claim.execution_id }]
      }
    })

    assert.deepStrictEqual(leases, [{ execution_id: claim.execution_id, lease_ms: 20_000 }])
  })

  test("keeps a runner draining while it only beats", function* () {
    const { admin, agent, params, runner, session } = yield* makeClaim()
    const { session_id } = session
    yield* runner.runner.claim({
      payload: { session_id, claim_id: "last", free_slots: 0, wait_ms: 0, draining: true }
    })

    yield* runner.runner.heartbeat({ payload: { session_id, beats: [] } })

    const { status } = yield* admin.agents.get({ params: { ...params, agent_id: agent.id } })
    assert.strictEqual(status, "draining")
  })

  test("gives the work it still holds back to an instance that starts again", function* () {
    const work = yield* someWork

    const again = yield* makeSession(work)

    assert.strictEqual(again.session_id, work.session.session_id)
    assert.deepStrictEqual(
      again.recover.map(({ attempt, epoch, status }) => ({ attempt, epoch, status })),
      [{ attempt: 1, epoch: 1, status: "running" }]
    )
    assert.deepStrictEqual(again.agents, [{ id: work.agent.id, name: "Press", capacity: 1 }])
    assert.strictEqual(again.config.poll_wait_ms, 25_000)
  })

  test("puts unstarted work back at once when its runner leaves", function* () {
    const work = yield* makeClaim()

    yield* work.runner.runner.closeSession({ params: { id: work.session.session_id } })

    const next = yield* claimNow(work, yield* makeSession(work))
    assert.deepInclude(next.claims[0], { execution_id: work.claim.execution_id, epoch: 3 })
  })

  test("puts given back work into the queue, not to be claimed before its delay is over", function* () {
    const work = yield* makeClaim()

    const given = yield* work.runner.runner.giveBack({
      ...work.held,
      payload: { ...work.held.payload, reason: "no paper", delay_ms: 5_000 }
    })

    const early = yield* claimNow(work, work.session)
    yield* TestClock.adjust("5 seconds")
    const late = yield* claimNow(work, work.session)
    assert.strictEqual(given.status, "queued")
    assert.deepStrictEqual([early.claims.length, late.claims.length], [0, 1])
  })
})
