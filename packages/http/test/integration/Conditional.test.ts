import { assert, describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import { TestClock } from "effect/testing"
import { file, makeCapture } from "../runs/Captures.ts"
import { Host, test, Waiting } from "../Service.ts"
import {
  makeClaim,
  makeExecution,
  makeTenant,
  published,
  someWork,
  type Tenant,
  type Work
} from "../Tenant.ts"

/** Reads with the tenant's key, naming what it has already. */
const read = Effect.fnUntraced(function* (tenant: Pick<Tenant, "key">, path: string, known?: string) {
  const host = yield* Host
  const conditions = known === undefined ? {} : { "if-none-match": known }
  const headers = { authorization: `Bearer ${tenant.key.key}`, ...conditions }
  return yield* host(`/api/v1/integrations${path}`, { headers })
})

const tagOf = (answer: Response): string => answer.headers.get("etag") ?? assert.fail("there is no tag")

const pathOf = (work: Work) => `/executions/${work.execution.id}`

/** Begins a read that waits up to 30 seconds, and answers when it does. */
const parked = Effect.fnUntraced(function* (work: Work, known: string) {
  const waiting = yield* Waiting
  yield* Queue.clear(waiting)
  const fiber = yield* Effect.forkChild(read(work, `${pathOf(work)}?wait=30`, known))
  yield* Queue.take(waiting)
  return fiber
})

const ask = (work: Work) =>
  work.runner.runner.ask({
    ...work.held,
    payload: {
      ...work.held.payload,
      input_key: "approval",
      prompt: "Print all 300 pages?",
      schema: { type: "boolean" },
      expires_in_s: 3_600,
      on_timeout: "error",
      mode: "hold"
    }
  })

const complete = (work: Work) =>
  work.runner.runner.complete({
    ...work.held,
    payload: { ...work.held.payload, outcome: "completed", result: { pages: 3 } }
  })

describe("an execution that the caller may have", () => {
  test("is not sent again while it stays as it is", function* () {
    const tenant = yield* makeTenant()
    const { execution_id } = yield* makeExecution(tenant)
    const path = `/executions/${execution_id}`
    const etag = tagOf(yield* read(tenant, path))

    const ways = [etag, etag.replace("W/", ""), `"another", ${etag}`, "*"]
    const answers = yield* Effect.forEach(ways, (known) => read(tenant, path, known))

    assert.match(etag, /^W\/"[0-9a-f]+"$/)
    for (const answer of answers) {
      assert.strictEqual(answer.status, 304)
      assert.strictEqual(tagOf(answer), etag)
      assert.match(answer.headers.get("x-request-id") ?? "", /^req_/)
      assert.strictEqual(yield* Effect.promise(() => answer.text()), "")
    }
  })

  test("has another tag after every change of what is shown", function* () {
    const work = yield* makeClaim()
    const steps: ReadonlyArray<Effect.Effect<unknown, unknown, Host>> = [
      work.runner.runner.start(work.held),
      ask(work),
      Effect.flatMap(work.integration.executions.inputs({ params: work.execution }), ({ data: [input] }) =>
        work.integration.executions.answer({
          params: { ...work.execution, inputId: input?.input_id ?? assert.fail("nothing was asked") },
          payload: { value: true }
        })
      ),
      makeCapture(work, file),
      complete(work)
    ]

    const statuses: Array<number> = []
    let known = tagOf(yield* read(work, pathOf(work)))
    for (const step of steps) {
      yield* step
      const answer = yield* read(work, pathOf(work), known)
      statuses.push(answer.status)
      known = tagOf(answer)
    }

    assert.deepStrictEqual(
      statuses,
      steps.map(() => 200)
    )
  })
})

// The clock of the test stands still unless it is told to move, so that only a signal can end these waits.
describe("a caller that waits for what it does not have", () => {
  test("is answered when anything changes", function* () {
    const work = yield* makeClaim()
    const waiting = yield* parked(work, tagOf(yield* read(work, pathOf(work))))

    yield* work.runner.runner.start(work.held)

    assert.strictEqual((yield* Fiber.join(waiting)).status, 200)
  })

  test("is answered when a file is ready", function* () {
    const work = yield* someWork
    const waiting = yield* parked(work, tagOf(yield* read(work, pathOf(work))))

    yield* makeCapture(work, file)

    assert.strictEqual((yield* Fiber.join(waiting)).status, 200)
  })

  test("is answered 304 when its time is up, also while it owes an answer itself", function* () {
    const work = yield* someWork
    yield* ask(work)
    const waiting = yield* parked(work, tagOf(yield* read(work, pathOf(work))))

    yield* TestClock.adjust("30 seconds")

    assert.strictEqual((yield* Fiber.join(waiting)).status, 304)
  })

  test("is answered at once when it is behind", function* () {
    const work = yield* someWork

    const answer = yield* read(work, `${pathOf(work)}?wait=30`, 'W/"of before"')

    assert.strictEqual(answer.status, 200)
  })

  test("is answered at once when the execution is finished", function* () {
    const work = yield* someWork
    yield* complete(work)
    const etag = tagOf(yield* read(work, pathOf(work)))

    const answer = yield* read(work, `${pathOf(work)}?wait=30`, etag)

    assert.strictEqual(answer.status, 304)
  })
})

describe("a params schema that the caller may have", () => {
  test("is not sent again until another version is meant", function* () {
    const tenant = yield* makeTenant()
    const path = `/tasks/${tenant.task.id}/params-schema`
    const etag = tagOf(yield* read(tenant, path))
    const same = yield* read(tenant, `${path}?v=1`, etag)

    const params = { ...tenant.params, task_id: tenant.task.id }
    yield* published(tenant.admin, { params, payload: { params_schema: { type: "object" } } })
    const other = yield* read(tenant, path, etag)

    assert.strictEqual(etag, `W/"${tenant.version.id}"`)
    assert.deepStrictEqual([same.status, other.status], [304, 200])
    assert.notStrictEqual(tagOf(other), etag)
  })
})
