import { assert, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { errorOf } from "../Hosts.ts"
import { service } from "../Service.ts"
import { claimNow, makeSession, makeTenant } from "../Tenant.ts"
import { answersOf, itemOf, sendItems, sendText } from "./Batch.ts"

it.layer(service)("many executions in one request", (it) => {
  it.effect("are each judged and answered by themselves, in their order", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()
      const item = itemOf(tenant)
      const first = yield* Effect.flatMap(
        sendItems(tenant, [{ ...item, idempotency_key: "a", reference: "before" }]),
        answersOf
      )
      const items = [
        { ...item, reference: "new" },
        { ...item, params: { copies: "many" } },
        { ...item, colour: "red", priority: 1_001 },
        { ...item, idempotency_key: "a", reference: "before" },
        { ...item, idempotency_key: "a", reference: "after" },
        { ...item, task_id: tenant.agent.id },
        { ...item, idempotency_key: "b" },
        { ...item, idempotency_key: "b" }
      ]
      // A number that would change when it is read is refused by its text, of this item alone.
      const text = JSON.stringify({ items: [...items, { ...item, params: { copies: 0 } }] })

      const answer = yield* sendText(tenant, text.replace('"copies":0', '"copies":9007199254740993'))

      const { data, request_id } = yield* answersOf(answer)
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(
        data.map(({ error, index, status }) => [index, status, error?.code ?? null]),
        [
          [0, 201, null],
          [1, 422, "invalid_params"],
          [2, 422, "invalid_request"],
          [3, 200, null],
          [4, 409, "idempotency_conflict"],
          [5, 422, "invalid_request"],
          [6, 201, null],
          [7, 200, null],
          [8, 422, "invalid_request"]
        ]
      )
      const [made, , broken, repeated, , , once, again, inexact] = data
      assert.deepInclude(made?.execution, { reference: "new", request_id })
      assert.strictEqual(repeated?.execution?.execution_id, first.data[0]?.execution?.execution_id)
      assert.strictEqual(again?.execution?.execution_id, once?.execution?.execution_id)
      assert.deepStrictEqual(broken?.error?.details, {
        issues: [
          { path: ["body", "colour"], message: "is not a known field" },
          { path: ["body", "priority"], message: "Expected a value between -1000 and 1000" }
        ]
      })
      assert.nestedPropertyVal(inexact?.error, "details.issues[0].path[2]", "copies")
      const { data: listed } = yield* tenant.integration.executions.list({ query: {} })
      assert.strictEqual(listed.length, 3)
    })
  )

  it.effect("have no Idempotency-Key in common, which would not keep a repeat from making them again", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()
      const body = JSON.stringify({ items: [itemOf(tenant)] })

      const answer = yield* sendText(tenant, body, { "idempotency-key": "all" })

      assert.strictEqual(answer.status, 400)
      assert.match(
        (yield* errorOf(answer)).message,
        /^headers.idempotency-key: .* give each item an idempotency_key$/
      )
      assert.isEmpty((yield* tenant.integration.executions.list({ query: {} })).data)
    })
  )

  it.effect("stop at the limit of unfinished ones, and leave those before it queued", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()
      yield* tenant.admin.accounts.update({ params: tenant.params, payload: { max_live: 3 } })

      const { data } = yield* Effect.flatMap(
        sendItems(
          tenant,
          Array.from({ length: 5 }, () => itemOf(tenant))
        ),
        answersOf
      )

      assert.deepStrictEqual(
        data.map(({ status }) => status),
        [201, 201, 201, 429, 429]
      )
      assert.deepInclude(data[4]?.error, {
        code: "concurrency_limit_reached",
        details: { scope: "account", limit: 3 }
      })
    })
  )

  it.effect("are 1 to 500, and as many as a body holds", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()
      const item = itemOf(tenant)

      const answers = yield* Effect.forEach(
        [[], Arr.replicate(item, 501), [{ ...item, params: { a: "a".repeat(1_048_576) } }]],
        (items) => sendItems(tenant, items)
      )

      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [422, 422, 413]
      )
      assert.deepStrictEqual((yield* tenant.integration.executions.list({ query: {} })).data, [])
    })
  )

  it.effect(
    "are found again by who repeats the request, though nothing of it would be accepted any more",
    () =>
      Effect.gen(function* () {
        const tenant = yield* makeTenant()
        const { admin, agent, params } = tenant
        const items = ["a", "b"].map((idempotency_key) => itemOf(tenant, { idempotency_key }))
        const first = yield* Effect.flatMap(sendItems(tenant, items), answersOf)
        const disabling = {
          params: { ...params, agent_id: agent.id },
          payload: { state: "disabled" }
        } as const
        yield* admin.agents.update(disabling)

        const again = yield* Effect.flatMap(sendItems(tenant, [...items, itemOf(tenant)]), answersOf)

        assert.deepStrictEqual(
          again.data.map(({ execution, status }) => [status, execution?.execution_id]),
          [...first.data.map(({ execution }) => [200, execution?.execution_id]), [422, undefined]]
        )
      })
  )

  it.effect("belong to the trace of the request", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()
      const session = yield* makeSession(tenant)
      const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
      yield* sendText(tenant, JSON.stringify({ items: [itemOf(tenant)] }), { traceparent })

      const { claims } = yield* claimNow(tenant, session)

      assert.deepStrictEqual(
        claims.map((claim) => claim.traceparent),
        [traceparent]
      )
    })
  )

  it.effect("need the capability of a single create", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()
      const { admin, key, params } = tenant
      const payload = { capabilities: ["executions:read"] } as const
      yield* admin.keys.update({ params: { ...params, key_id: key.id }, payload })

      const answer = yield* sendItems(tenant, [itemOf(tenant)])

      assert.strictEqual((yield* errorOf(answer)).code, "forbidden")
    })
  )
})

it.layer(service)("a concurrency key", (it) => {
  it.effect("refuses with 409 what is not to wait, and is shown by what has it", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()
      const item = itemOf(tenant, { concurrency_key: "customer 42", concurrency_policy: "reject" })

      const answer = yield* sendItems(tenant, [item, item])

      const { data } = yield* answersOf(answer)
      assert.deepStrictEqual(
        data.map(({ status }) => status),
        [201, 409]
      )
      assert.deepInclude(data[1]?.error, {
        code: "concurrency_limit_reached",
        details: { scope: "concurrency_key", limit: 1, current: 1 }
      })
      const { data: listed } = yield* tenant.integration.executions.list({ query: {} })
      assert.deepStrictEqual(
        listed.map(({ concurrency_key }) => concurrency_key),
        ["customer 42"]
      )
    })
  )

  it.effect("is required beside a limit, which is 1 to 1000", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()

      const answer = yield* sendItems(tenant, [
        itemOf(tenant, { concurrency_limit: 2 }),
        itemOf(tenant, { concurrency_key: "a", concurrency_limit: 1_001 }),
        itemOf(tenant, { concurrency_key: "" })
      ])

      const { data } = yield* answersOf(answer)
      assert.deepStrictEqual(
        data.map(({ error, status }) => [status, error?.code]),
        [
          [422, "invalid_request"],
          [422, "invalid_request"],
          [422, "invalid_request"]
        ]
      )
      assert.nestedPropertyVal(data[0]?.error, "details.issues[0].path[1]", "concurrency_key")
    })
  )
})
