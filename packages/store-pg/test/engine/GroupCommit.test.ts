import { assert, describe, it } from "@effect/vitest"
import * as GroupCommit from "@runhook/store-pg/engine/GroupCommit"
import { DatabaseTimeout } from "@runhook/store-pg/connections/Deadline"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"

interface Item {
  readonly name: string
  readonly account: string
  readonly subject: string | null
}

/** A group that is on its way, until the test lets it arrive. */
interface Sent {
  readonly bucket: number
  readonly names: ReadonlyArray<string>
  /** Answers each of its items by its name. */
  readonly arrive: Effect.Effect<unknown>
  readonly fail: Effect.Effect<unknown>
}

const item = (name: string, fields: Partial<Item> = {}): Item => ({
  name,
  account: "one",
  subject: null,
  ...fields
})

const names = (count: number, prefix = "") => Array.from({ length: count }, (_, place) => `${prefix}${place}`)

/** A group commit whose groups arrive when the test says so. */
const makeLine = Effect.fnUntraced(function* (sizeMax = 4, inFlightMax = 2) {
  const sent = yield* Queue.unbounded<Sent>()
  // Closed by nobody: a test that fails shall not wait for groups that it has not let arrive.
  const scope = yield* Scope.make()
  const group = yield* GroupCommit.make<Item, string>({
    name: "moves",
    sizeMax,
    inFlightMax,
    accountOf: ({ account }) => account,
    subjectOf: ({ subject }) => subject,
    store: Effect.fnUntraced(function* ({ bucket, items }, answer) {
      const end = yield* Deferred.make<void>()
      yield* Queue.offer(sent, {
        bucket,
        names: items.map(({ name }) => name),
        arrive: Deferred.succeed(end, undefined),
        fail: Deferred.die(end, "lost")
      })
      yield* Deferred.await(end)
      for (const each of items) answer(each, Exit.succeed(each.name))
    })
  }).pipe(Effect.provideService(Scope.Scope, scope))
  const ask = (each: Item, bucket = 1) =>
    Effect.forkChild(group.submit(bucket, each), { startImmediately: true })
  return {
    ask,
    /** Asks, in this order, before anything is sent. */
    askAll: (items: ReadonlyArray<Item>, bucket = 1) => Effect.forEach(items, (each) => ask(each, bucket)),
    next: Queue.take(sent),
    /** How many groups are on their way after one turn of the event loop. */
    soon: Effect.andThen(
      Effect.promise(() => new Promise((resolve) => setImmediate(resolve))),
      Queue.size(sent)
    ),
    /** How many groups are on their way beyond those that were seen. */
    more: Effect.andThen(turn, Queue.size(sent))
  }
})

/** Long enough for whatever is to be sent. */
const turn = Effect.promise(
  () => new Promise((resolve) => setImmediate(() => setImmediate(() => setImmediate(resolve))))
)

const joined = <A>(fibers: ReadonlyArray<Fiber.Fiber<A>>) => Effect.forEach(fibers, Fiber.join)

describe("A group commit", () => {
  it.effect("waits for one turn of the event loop, and no second one", () =>
    Effect.gen(function* () {
      const line = yield* makeLine()
      yield* line.ask(item("first"))

      assert.strictEqual(yield* line.soon, 1)
    })
  )

  it.effect("sends one alone at once, and who comes meanwhile together", () =>
    Effect.gen(function* () {
      const line = yield* makeLine()
      const first = yield* line.ask(item("first"))
      const alone = yield* line.next
      const second = yield* line.ask(item("second"))
      const beside = yield* line.next
      const others = yield* line.askAll(names(3).map((name) => item(name)))

      const whileTwo = yield* line.more
      yield* alone.arrive
      const together = yield* line.next

      assert.deepStrictEqual(
        [alone.names, beside.names, whileTwo, together.names],
        [["first"], ["second"], 0, names(3)]
      )
      yield* Effect.all([beside.arrive, together.arrive])
      assert.deepStrictEqual(yield* joined([first, second, ...others]), ["first", "second", ...names(3)])
    })
  )

  it.effect("lets accounts take turns, however many one of them sends", () =>
    Effect.gen(function* () {
      const line = yield* makeLine()
      const busy = yield* line.askAll(names(9, "busy ").map((name) => item(name)))
      const quiet = yield* line.ask(item("quiet", { account: "two" }))

      const first = yield* line.next

      assert.deepStrictEqual(first.names, ["busy 0", "quiet", "busy 1", "busy 2"])
      yield* first.arrive
      yield* Effect.flatMap(line.next, ({ arrive }) => arrive)
      yield* Effect.flatMap(line.next, ({ arrive }) => arrive)
      yield* joined([...busy, quiet])
    })
  )

  it.effect.each([
    { inFlightMax: 1, buckets: 9 },
    { inFlightMax: 2, buckets: 5 }
  ])("has as many groups of a bucket on their way as it may: $inFlightMax, and eight in all", (each) =>
    Effect.gen(function* () {
      const line = yield* makeLine(1, each.inFlightMax)
      const fibers = yield* Effect.forEach(names(each.buckets), (_, bucket) =>
        line.askAll(
          names(3).map((name) => item(name)),
          bucket
        )
      )

      const sent = yield* Effect.replicateEffect(line.next, GroupCommit.inFlightTotal)
      const beyond = yield* line.more

      const perBucket = Map.groupBy(sent, ({ bucket }) => bucket)
      assert.deepStrictEqual(
        [Math.max(...Array.from(perBucket.values(), ({ length }) => length)), beyond],
        [each.inFlightMax, 0]
      )
      yield* Effect.forEach(sent, ({ arrive }) => arrive)
      yield* Effect.replicateEffect(
        Effect.flatMap(line.next, ({ arrive }) => arrive),
        3 * each.buckets - sent.length
      )
      yield* joined(fibers.flat())
    })
  )

  it.effect("does what has the same subject in turn, never together", () =>
    Effect.gen(function* () {
      const line = yield* makeLine()
      const subject = "order"
      const fibers = yield* line.askAll([
        item("a", { subject }),
        item("b", { subject }),
        item("c"),
        item("d", { subject })
      ])

      const sent = yield* Effect.replicateEffect(
        Effect.gen(function* () {
          const group = yield* line.next
          const beside = yield* line.more
          yield* group.arrive
          return { names: group.names, beside }
        }),
        3
      )

      assert.deepStrictEqual(sent, [
        { names: ["a", "c"], beside: 0 },
        { names: ["b"], beside: 0 },
        { names: ["d"], beside: 0 }
      ])
      yield* joined(fibers)
    })
  )

  it.effect("keeps the turns of a subject when a caller leaves, and takes back what was not sent", () =>
    Effect.gen(function* () {
      const line = yield* makeLine()
      const subject = "order"
      const [first, second, third] = yield* line.askAll([
        item("a", { subject }),
        item("b", { subject }),
        item("c", { subject })
      ])
      const one = yield* line.next
      assert.isDefined(first && second && third)
      if (first === undefined || second === undefined || third === undefined) return

      // One is on its way, the other waits for it.
      yield* Effect.all([Fiber.interrupt(first), Fiber.interrupt(second)])
      const meanwhile = yield* line.more
      yield* one.arrive
      const two = yield* line.next
      yield* two.arrive

      assert.deepStrictEqual([meanwhile, one.names, two.names, yield* line.more], [0, ["a"], ["c"], 0])
      assert.strictEqual(yield* Fiber.join(third), "c")
    })
  )

  it.effect("takes back what waits in the line of its account when its caller leaves", () =>
    Effect.gen(function* () {
      const line = yield* makeLine(1)
      const fibers = yield* line.askAll(names(4).map((name) => item(name)))
      const [one, two] = [yield* line.next, yield* line.next]

      yield* Effect.forEach(fibers.slice(2, 3), Fiber.interrupt)
      yield* Effect.all([one.arrive, two.arrive])
      const last = yield* line.next

      assert.deepStrictEqual([last.names, yield* line.more], [["3"], 0])
      yield* last.arrive
    })
  )

  it.effect(
    "answers who waits too long, takes back what was not sent, and keeps the turns of its subject",
    () =>
      Effect.gen(function* () {
        const line = yield* makeLine()
        const subject = "order"
        const late = yield* line.askAll([item("a", { subject }), item("b", { subject })])
        const one = yield* line.next

        const exits = yield* Effect.forEach(late, Fiber.await)
        const third = yield* line.ask(item("c", { subject }))
        const meanwhile = yield* line.more
        yield* one.arrive
        const two = yield* line.next
        yield* two.arrive

        assert.deepStrictEqual([exits.map(Exit.hasDies), meanwhile, two.names], [[true, true], 0, ["c"]])
        assert.strictEqual(yield* Fiber.join(third), "c")
      }).pipe(Effect.provideService(DatabaseTimeout, Duration.millis(300)))
  )

  it.effect("fails those of a group that fails, and goes on", () =>
    Effect.gen(function* () {
      const line = yield* makeLine(2)
      const fibers = yield* line.askAll(names(6).map((name) => item(name)))
      const [one, two] = [yield* line.next, yield* line.next]

      yield* one.fail
      const three = yield* line.next
      yield* Effect.all([two.arrive, three.arrive])

      const exits = yield* Effect.forEach(fibers, Fiber.await)
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [false, false, true, true, true, true])
    })
  )
})
