import { assert, describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { errorOf, sending } from "../Hosts.ts"
import { Host, refusalOf, runnerClient, test } from "../Service.ts"
import { makeClaim, makeExecution, makeSession, makeTenant, someWork } from "../Tenant.ts"

describe("what runners are refused, over the wire", () => {
  test("fences every write under a stale epoch, telling status and epoch", function* () {
    const { execution, held, integration, runner } = yield* someWork
    yield* integration.executions.cancel({ params: execution, payload: null })
    const completed = { outcome: "completed", result: { pages: 1 } } as const
    const file = {
      kind: "print",
      file_name: "a.txt",
      content_type: "text/plain",
      size_bytes: 1,
      sha256: "0".repeat(64)
    } as const
    const question = {
      input_key: "a",
      prompt: "?",
      schema: {},
      expires_in_s: 1,
      on_timeout: "error",
      mode: "hold"
    } as const

    const refusals = yield* Effect.all([
      refusalOf(runner.runner.start(held)),
      refusalOf(runner.runner.complete({ ...held, payload: { ...held.payload, ...completed } })),
      refusalOf(runner.runner.giveBack({ ...held, payload: { ...held.payload, reason: "no paper" } })),
      refusalOf(runner.runner.ask({ ...held, payload: { ...held.payload, ...question } })),
      refusalOf(runner.runner.registerArtifact({ ...held, payload: { epoch: 0, ...file } }))
    ])

    for (const { code, details } of refusals) {
      assert.strictEqual(code, "invalid_request")
      assert.deepStrictEqual(details, { reason: "lease_lost", status: "aborted", epoch: 2 })
    }
  })

  test.each([".", "..", "", "../a", "a\\b", "a\0", "a\u202Eb"])(
    "refuses the file name %j, naming it",
    function* (name) {
      const { execution, held, runnerKey } = yield* someWork
      const host = yield* Host
      const body = JSON.stringify({
        ...held.payload,
        kind: "print",
        file_name: name,
        content_type: "text/plain",
        size_bytes: 1,
        sha256: "0".repeat(64)
      })
      const { headers, ...post } = sending("POST", body)

      const answer = yield* host(`/api/v1/runner/executions/${execution.id}/artifacts`, {
        ...post,
        headers: { ...headers, authorization: `Bearer ${runnerKey.key}` }
      })

      const refusal = yield* errorOf(answer)
      assert.include(refusal.message, "body.file_name")
      assert.strictEqual(answer.status, 400)
    }
  )

  test.each([{}, { error: null }, { error: {} }])(
    "wants the message of an error, naming it: %j",
    function* (given) {
      const { execution, held, runnerKey } = yield* someWork
      const host = yield* Host
      const body = JSON.stringify({ ...held.payload, outcome: "error", ...given })
      const { headers, ...post } = sending("POST", body)

      const answer = yield* host(`/api/v1/runner/executions/${execution.id}/complete`, {
        ...post,
        headers: { ...headers, authorization: `Bearer ${runnerKey.key}` }
      })

      const refusal = yield* errorOf(answer)
      assert.strictEqual(answer.status, 422)
      assert.include(refusal.message, "body.error.message: is required")
      assert.strictEqual(refusal.code, "invalid_request")
    }
  )

  test("refuses a result that breaks the promise of its version, and lets the runner correct itself", function* () {
    const { held, runner } = yield* someWork
    const completed = { ...held.payload, outcome: "completed" } as const

    const refusal = yield* refusalOf(
      runner.runner.complete({ ...held, payload: { ...completed, result: { sheets: 1 } } })
    )

    const corrected = yield* runner.runner.complete({
      ...held,
      payload: { ...completed, result: { pages: 1 } }
    })
    assert.strictEqual(refusal.code, "invalid_params")
    assert.strictEqual(corrected.status, "completed")
  })

  test("names unknown fields", function* () {
    const { runnerKey, session } = yield* makeClaim()
    const host = yield* Host
    const { headers, ...post } = sending(
      "POST",
      JSON.stringify({ session_id: session.session_id, beats: [], mood: 1 })
    )

    const answer = yield* host("/api/v1/runner/heartbeats", {
      ...post,
      headers: { ...Object.fromEntries(new Headers(headers)), authorization: `Bearer ${runnerKey.key}` }
    })

    assert.strictEqual(answer.status, 400)
    assert.include((yield* errorOf(answer)).message, "mood")
  })

  test("hides sessions and executions from the runners of other accounts", function* () {
    const work = yield* makeClaim()
    const stranger = yield* makeTenant()

    const refusals = yield* Effect.all([
      refusalOf(stranger.runner.runner.start(work.held)),
      refusalOf(stranger.runner.runner.closeSession({ params: { id: work.session.session_id } })),
      refusalOf(
        stranger.runner.runner.heartbeat({ payload: { session_id: work.session.session_id, beats: [] } })
      )
    ])

    assert.deepStrictEqual(
      refusals.map(({ code }) => code),
      ["not_found", "not_found", "not_found"]
    )
  })

  test("looks for the work before the schema of its question", function* () {
    const work = yield* makeClaim()
    const stranger = yield* makeTenant()
    const payload = {
      epoch: work.claim.epoch,
      input_key: "code",
      prompt: "Which code?",
      schema: { type: "word" },
      mode: "hold",
      on_timeout: "error",
      expires_in_s: 60
    } as const

    const unknown = yield* refusalOf(stranger.runner.runner.ask({ params: work.held.params, payload }))
    const unstarted = yield* refusalOf(work.runner.runner.ask({ params: work.held.params, payload }))

    assert.strictEqual(unknown.code, "not_found")
    assert.deepInclude(unstarted.details, { reason: "illegal_transition", from: "queued" })
  })

  test("serves other accounts while the schema of a question takes all it may", function* () {
    const work = yield* someWork
    const other = yield* makeTenant()
    const order: Array<string> = []
    const noted = <A, E, R>(name: string, effect: Effect.Effect<A, E, R>) =>
      Effect.tap(effect, () => Effect.sync(() => order.push(name)))
    const members = Array.from({ length: 60_000 }, (_, i): readonly [string, number] => [`n${i}`, 1])

    const [refusal] = yield* Effect.all(
      [
        noted(
          "ask",
          refusalOf(
            work.runner.runner.ask({
              params: work.held.params,
              payload: {
                epoch: work.claim.epoch,
                input_key: "code",
                prompt: "Which code?",
                schema: { allOf: Array.from({ length: 160 }, () => ({ uniqueItems: true })) },
                mode: "hold",
                on_timeout: "default",
                default: [Object.fromEntries(members)],
                expires_in_s: 60
              }
            })
          )
        ),
        noted("create", makeExecution(other))
      ],
      { concurrency: "unbounded" }
    )

    assert.deepStrictEqual(order, ["create", "ask"])
    assert.strictEqual(refusal.code, "invalid_params")
    assert.include(JSON.stringify(refusal.details), '"effort"')
  })

  test("hides the executions of agents that the key may not serve, even under the right epoch", function* () {
    const { admin, claim, held, params } = yield* someWork
    const other = yield* admin.agents.create({ params, payload: { name: "Other press" } })
    const { key } = yield* admin.runnerKeys.create({
      params,
      payload: { name: "Attic", agent_ids: [other.id] }
    })
    const { runner } = yield* runnerClient(key)
    const session = yield* runner.openSession({
      payload: { instance_id: "attic-1", runner_name: "Attic", capacity: 1 }
    })

    const refusal = yield* refusalOf(runner.start(held))
    const pulse = yield* runner.heartbeat({
      payload: {
        session_id: session.session_id,
        beats: [{ ...held.payload, execution_id: claim.execution_id }]
      }
    })

    assert.strictEqual(refusal.code, "not_found")
    assert.deepStrictEqual(pulse.leases, [])
    assert.deepStrictEqual(pulse.lost, [{ execution_id: claim.execution_id, epoch: 1 }])
  })

  test("refuses a session for an agent that the key may not serve", function* () {
    const { admin, agent, params } = yield* makeTenant()
    const { key } = yield* admin.runnerKeys.create({ params, payload: { name: "Attic", agent_ids: [] } })
    const { runner } = yield* runnerClient(key)

    const refusal = yield* refusalOf(
      runner.openSession({
        payload: { instance_id: "attic-1", runner_name: "Attic", capacity: 1, agent_ids: [agent.id] }
      })
    )

    assert.strictEqual(refusal.code, "forbidden")
  })

  test("lets a revoked key do nothing more", function* () {
    const tenant = yield* makeTenant()
    yield* tenant.admin.runnerKeys.revoke({ params: { ...tenant.params, key_id: tenant.runnerKey.id } })

    const refusal = yield* refusalOf(makeSession(tenant))

    assert.strictEqual(refusal.code, "unauthorized")
  })
})
