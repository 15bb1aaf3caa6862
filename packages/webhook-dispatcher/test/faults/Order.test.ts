import { assert, describe } from "@effect/vitest"
import { newDelivery } from "@runhook/core/deliveries/Delivery"
import { refusalsWaited } from "@runhook/core/deliveries/claim/DeliveryOrder"
import { EventId, ExecutionId, newId } from "@runhook/core/shared/Ids"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { Signals } from "@runhook/core/signals/Signals"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { optionsDefault } from "../../src/DispatcherOptions.ts"
import { type AttemptResult, Sender } from "../../src/Sender.ts"
import { beginning, makeDispatcher, makeKey, test } from "../World.ts"
import { answered, passing, scripted } from "./Scripted.ts"

const url = "https://hooks.example.com/hook"

/** What an event of these tests says. */
const Told = Schema.fromJsonString(Schema.Struct({ executionId: Schema.String, revision: Schema.Int }))

const told = Schema.decodeUnknownSync(Told)

type Key = Effect.Success<ReturnType<typeof makeKey>>["record"]

/** Stores the next event of an execution. Its id says nothing of its place: it is smaller than that of the one before. */
const tell = Effect.fnUntraced(function* (key: Key, executionId: ExecutionId, revision: number) {
  const store = yield* DeliveryStore
  const at = yield* DateTime.now
  const made = yield* newId(EventId)
  const id = EventId.make(`${(9 - revision).toString()}${made.slice(1)}`)
  const { accountId, id: apiKeyId } = key
  const subject = { id, accountId, apiKeyId, executionId, revision, type: "webhook.test", url } as const
  const body = JSON.stringify({ executionId, revision })
  yield* store.enqueue(newDelivery({ ...subject, requestId: "req_1", reference: null, body }, at))
  yield* (yield* Signals).notify(["deliveries"])
  return id
})

const severalExecutions = (count: number) => Effect.replicateEffect(newId(ExecutionId), count)

/** What a receiver has taken: the revisions of each execution, as they came. */
class Taken {
  readonly #revisions = new Map<string, Array<number>>()

  note(body: string): void {
    const { executionId, revision } = told(body)
    this.#revisions.set(executionId, [...this.of(executionId), revision])
  }

  of(executionId: string): ReadonlyArray<number> {
    return this.#revisions.get(executionId) ?? []
  }
}

const unanswered: AttemptResult = {
  ...answered(200),
  phase: "connect",
  status: null,
  error: "Connection refused"
}

/** Fails like this for as long, and takes everything after that. */
const downFor = (seconds: number, failure: AttemptResult) => {
  const taken = new Taken()
  const { sender } = scripted(({ body }) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      if (now < beginning + seconds * 1_000) return failure
      taken.note(body)
      return answered(200)
    })
  )
  return { sender, taken }
}

describe("The order of an execution's events", () => {
  test.each([
    {
      title: "many executions of a receiver that answers nothing",
      count: 40,
      failure: unanswered,
      seconds: 20
    },
    {
      title: "many executions of a receiver that is overwhelmed",
      count: 40,
      failure: answered(503),
      seconds: 20
    },
    { title: "many executions of a receiver that is broken", count: 40, failure: answered(500), seconds: 20 },
    { title: "one execution of a receiver that answers nothing", count: 1, failure: unanswered, seconds: 60 }
  ])("outlasts an outage: $title", function* ({ count, failure, seconds }) {
    const { record } = yield* makeKey()
    const { sender, taken } = downFor(seconds, failure)
    const executions = yield* severalExecutions(count)
    yield* makeDispatcher().pipe(Effect.provideService(Sender, sender))

    // Half a minute of changes, before, while and after the receiver comes back.
    for (const revision of [1, 2, 3, 4]) {
      yield* Effect.forEach(executions, (id) => tell(record, id, revision))
      yield* passing(8)
    }
    yield* passing(400)

    assert.deepStrictEqual(
      executions.map((id) => taken.of(id)),
      executions.map(() => [1, 2, 3, 4])
    )
  })

  test("outlasts a dispatcher that was killed, by the settings that nobody has changed", function* () {
    const { record } = yield* makeKey()
    const store = yield* DeliveryStore
    const { sender, taken } = downFor(0, answered(500))
    const executions = yield* severalExecutions(40)
    yield* Effect.forEach(executions, (id) => tell(record, id, 1))
    const { lease } = optionsDefault
    const at = yield* DateTime.now
    const { deliveries } = yield* store.claimDue({ room: roomFor(30), lease, at })
    yield* Effect.forEach(executions, (id) => tell(record, id, 2))
    yield* makeDispatcher().pipe(Effect.provideService(Sender, sender))

    yield* passing(Duration.toSeconds(lease) - 2)
    const meanwhile = executions.map((id) => taken.of(id).length)
    yield* passing(5)

    assert.lengthOf(deliveries, 30)
    assert.deepStrictEqual(meanwhile.toSorted(), [...Array(30).fill(0), ...Array(10).fill(2)])
    assert.deepStrictEqual(
      executions.map((id) => taken.of(id)),
      executions.map(() => [1, 2])
    )
  })

  test("is given up for an event that its receiver refuses, at the last refusal and not later", function* () {
    const { record } = yield* makeKey()
    const taken = new Taken()
    const [poisoned = yield* newId(ExecutionId), ...others] = yield* severalExecutions(10)
    const poison = yield* tell(record, poisoned, 1)
    const refusals: Array<number> = []
    const followers: Array<number> = []
    const { sender } = scripted(({ body, headers }) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        if (headers["webhook-id"] === poison) {
          refusals.push(now)
          return answered(500)
        }
        taken.note(body)
        if (told(body).executionId === poisoned) followers.push(now)
        return answered(200)
      })
    )
    yield* Effect.forEach([2, 3], (revision) => tell(record, poisoned, revision))
    yield* Effect.forEach(others, (id) => Effect.forEach([1, 2, 3], (revision) => tell(record, id, revision)))
    yield* makeDispatcher().pipe(Effect.provideService(Sender, sender))

    yield* passing(60)

    assert.strictEqual(refusals.length, refusalsWaited)
    const [, , last = 0] = refusals
    assert.deepStrictEqual(
      followers.map((time) => time - last),
      [0, 0]
    )
    assert.deepStrictEqual(
      [poisoned, ...others].map((id) => taken.of(id)),
      [[2, 3], ...others.map(() => [1, 2, 3])]
    )
  })
})
