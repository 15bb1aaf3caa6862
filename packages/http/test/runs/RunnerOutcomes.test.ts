/** Claims that bring the outcomes of what has ended. */
import { assert, describe } from "@effect/vitest"
import type { JsonObject } from "@runhook/core/shared/json/Json"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import { errorOf, jsonOf, sending } from "../Hosts.ts"
import { Host, test, Waiting } from "../Service.ts"
import { makeClaim, makeExecution, makeSession, makeTenant, someWork, type Work } from "../Tenant.ts"

/** Sends a claim as any program would that speaks JSON; the answer is not held to what it should be. */
const claiming = Effect.fnUntraced(function* (
  { runnerKey, session }: Pick<Work, "runnerKey" | "session">,
  body: JsonObject
) {
  const host = yield* Host
  const claim = { session_id: session.session_id, claim_id: "next", free_slots: 0, ...body }
  const { headers, ...post } = sending("POST", JSON.stringify(claim))
  return yield* host("/api/v1/runner/claims", {
    ...post,
    headers: { ...headers, authorization: `Bearer ${runnerKey.key}` }
  })
})

const refOf = ({ claim: { epoch, execution_id } }: Pick<Work, "claim">) => ({ execution_id, epoch })

const completed = { outcome: "completed", result: { pages: 2 } } as const

/** A tenant whose runner is at work on as many executions as it has slots for. */
const muchWork = Effect.gen(function* () {
  const tenant = yield* makeTenant()
  yield* tenant.admin.agents.update({
    params: { ...tenant.params, agent_id: tenant.agent.id },
    payload: { capacity: 3 }
  })
  const session = yield* makeSession(tenant)
  yield* Effect.replicateEffect(makeExecution(tenant), 3)
  const { claims } = yield* tenant.runner.runner.claim({
    payload: { session_id: session.session_id, claim_id: "first", free_slots: 3, wait_ms: 0, start: true }
  })
  const refs = claims.map(({ epoch, execution_id }) => ({ execution_id, epoch }))
  return { ...tenant, session, claims, refs }
})

const statusOf = ({ integration }: Pick<Work, "integration">, id: Work["claim"]["execution_id"]) =>
  Effect.map(integration.executions.get({ params: { id }, query: {} }), ({ status }) => status)

describe("outcomes that a claim brings, over the wire", () => {
  test("are each answered by itself, in their order, as the call for one would", function* () {
    const { refs, ...tenant } = yield* muchWork
    const [one, two, three] = refs
    const gone = { ...one, execution_id: "00000000-0000-7000-8000-000000000001" }
    const outcomes = [
      { ...two, ...completed, result: { sheets: 2 } },
      { ...one, ...completed },
      { ...gone, ...completed },
      { ...three, epoch: 7, ...completed },
      { ...three, outcome: "error" },
      { ...three, outcome: "done" },
      { ...three, ...completed, mood: 1 },
      { ...one, outcome: "cancelled" },
      { ...one, ...completed }
    ]

    const answer = yield* claiming(tenant, { outcomes })

    const { outcomes: told } = yield* jsonOf(answer)
    const alone = yield* Effect.forEach(outcomes, ({ execution_id, ...body }) =>
      Effect.gen(function* () {
        const host = yield* Host
        const { headers, ...post } = sending("POST", JSON.stringify(body))
        const single = yield* host(`/api/v1/runner/executions/${execution_id}/complete`, {
          ...post,
          headers: { ...headers, authorization: `Bearer ${tenant.runnerKey.key}` }
        })
        const { error, request_id: _, ...ending } = yield* jsonOf(single)
        const { epoch } = body
        return single.ok
          ? { execution_id, epoch, accepted: true, ...ending }
          : { execution_id, epoch, accepted: false, http_status: single.status, error }
      })
    )
    assert.deepStrictEqual(withoutRequest(told), withoutRequest(alone))
    assert.deepStrictEqual(
      alone.map(({ http_status = 200 }) => http_status),
      [422, 200, 404, 409, 422, 422, 422, 409, 200]
    )
  })

  test.each([
    [
      "numbers that would change when they are read",
      '{"pages": 9007199254740993}',
      ["body", "result", "pages"]
    ],
    ["keys that Node would read as others", '{"\\\\": 1}', ["body", "result"]]
  ] as const)("are refused by themselves for %s", function* ([, result, path]) {
    const { refs, ...tenant } = yield* muchWork
    const [one, two] = refs
    const host = yield* Host
    const outcomes = [
      { ...one, outcome: "completed", result: "RESULT" },
      { ...two, ...completed }
    ]
    const body = JSON.stringify({
      session_id: tenant.session.session_id,
      claim_id: "next",
      free_slots: 0,
      outcomes
    }).replace('"RESULT"', () => result)
    const { headers, ...post } = sending("POST", body)

    const answer = yield* host("/api/v1/runner/claims", {
      ...post,
      headers: { ...headers, authorization: `Bearer ${tenant.runnerKey.key}` }
    })

    const { outcomes: told } = yield* jsonOf(answer)
    assert(Array.isArray(told))
    assert.deepInclude(told[0], { accepted: false, http_status: 422 })
    assert.include(JSON.stringify(told[0]), `"path":${JSON.stringify(path)}`)
    assert.deepStrictEqual(told[1], { ...two, accepted: true, status: "completed" })
  })

  test.each([
    {
      what: "an epoch",
      item: { execution_id: "00000000-0000-7000-8000-000000000001", epoch: "1" },
      field: "epoch"
    },
    { what: "an id", item: { execution_id: "7", epoch: 1 }, field: "execution_id" },
    { what: "no object", item: 7, field: "1" }
  ])("fail the request where $what cannot be read, and are not stored", function* ({ field, item }) {
    const work = yield* someWork

    const answer = yield* claiming(work, { outcomes: [{ ...refOf(work), ...completed }, item] })

    assert.strictEqual(answer.status, 400)
    const { details } = yield* errorOf(answer)
    assert.include(JSON.stringify(details), field === "1" ? `"outcomes","1"]` : `"outcomes","1","${field}"]`)
    assert.strictEqual(yield* statusOf(work, work.execution.id), "running")
  })

  test("are at most as many as a session can hold", function* () {
    const work = yield* makeClaim()
    const outcomes = Array.from({ length: 1_001 }, () => ({ ...refOf(work), outcome: "completed" }))

    const answer = yield* claiming(work, { outcomes })

    assert.strictEqual(answer.status, 400)
    assert.include((yield* errorOf(answer)).message, "body.outcomes")
  })

  test("free their places before work is looked for", function* () {
    const { refs, ...tenant } = yield* muchWork
    const next = yield* makeExecution(tenant)

    const { claims, outcomes } = yield* tenant.runner.runner.claim({
      payload: {
        session_id: tenant.session.session_id,
        claim_id: "next",
        free_slots: 1,
        wait_ms: 0,
        in_flight: refs.slice(1),
        start: true,
        outcomes: [{ ...refs[0], ...completed }]
      }
    })

    assert.deepStrictEqual(
      claims.map(({ execution_id, status }) => [execution_id, status]),
      [[next.execution_id, "running"]]
    )
    assert.deepStrictEqual(
      outcomes.map(({ accepted }) => accepted),
      [true]
    )
  })

  test("are told the same when the claim is repeated, with the same work", function* () {
    const { refs, ...tenant } = yield* muchWork
    yield* makeExecution(tenant)
    const payload = {
      session_id: tenant.session.session_id,
      claim_id: "next",
      free_slots: 1,
      wait_ms: 0,
      start: true,
      outcomes: [{ ...refs[0], ...completed }]
    }
    const { request_id: _, ...first } = yield* tenant.runner.runner.claim({ payload })

    const { request_id: __, ...again } = yield* tenant.runner.runner.claim({ payload })

    assert.deepStrictEqual(again, first)
  })

  test("are stored whether or not the session is known", function* () {
    const work = yield* someWork
    yield* work.runner.runner.closeSession({ params: { id: work.session.session_id } })

    const answer = yield* claiming(work, { outcomes: [{ ...refOf(work), ...completed }] })

    assert.strictEqual(answer.status, 404)
    assert.strictEqual(yield* statusOf(work, work.execution.id), "completed")
  })

  // The clock of the test stands still, so that a claim which waits is never answered.
  test.each([
    { what: "no work is wanted", outcome: completed, free_slots: 0 },
    { what: "one is refused", outcome: { ...completed, result: {} }, free_slots: 1 }
  ])("are answered at once when $what", function* ({ free_slots, outcome }) {
    const work = yield* someWork

    const answer = yield* claiming(work, { free_slots, outcomes: [{ ...refOf(work), ...outcome }] })

    assert.strictEqual(answer.status, 200)
  })

  test("leave a poll of the session parked when they come beside it", function* () {
    const work = yield* someWork
    const waiting = yield* Waiting
    yield* Queue.clear(waiting)
    const payload = { session_id: work.session.session_id, claim_id: "parked", free_slots: 3 }
    const parked = yield* Effect.forkChild(work.runner.runner.claim({ payload }))
    yield* Queue.take(waiting)
    yield* claiming(work, { wait_ms: 0, outcomes: [{ ...refOf(work), ...completed }] })

    const next = yield* makeExecution(work)

    const { claims } = yield* Fiber.join(parked)
    assert.deepStrictEqual(
      claims.map(({ execution_id }) => execution_id),
      [next.execution_id]
    )
  })
})

/** Request ids differ, of course. */
const withoutRequest = (answers: unknown) => JSON.stringify(answers).replaceAll(/"req_\w+"/g, '"req_"')
