import { assert, it } from "@effect/vitest"
import { CurrentActor, theService } from "@runhook/core/audit/Actor"
import { verifyWebhook } from "@runhook/sdk/webhooks"
import { second } from "@runhook/store-testing/Fixtures"
import { answering, start } from "@runhook/test-support/receivers/Receiver"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as TestClock from "effect/testing/TestClock"
import { eventually } from "../Http.ts"
import { countsOf, goTo, opened, process, Service, target, troubled, troubledAt } from "./AlertProcess.ts"
import { mailServer } from "./MailServer.ts"

const [minute, hour] = [60, 3_600]

it.layer(Service.layer)("alerts of two processes", (it) => {
  it.effect("are sent once, as long as there is something new, together, signed or by mail", () =>
    Effect.gen(function* () {
      const { mails, one, other } = yield* Service
      const receiver = yield* start(answering(204))
      const account = yield* troubled(one, second(0))
      const { ref, secret } = yield* target(one, account, { channel: "webhook", address: receiver.url })
      yield* target(one, account, { channel: "email", address: "ops@example.com" })
      const bothLook = Effect.all([one.look, other.look], { concurrency: "unbounded" })

      for (const minutes of [1, 2, 10]) {
        yield* goTo(minutes * minute)
        yield* bothLook
      }

      const [first, ...others] = yield* Queue.takeAll(receiver.received)
      assert.lengthOf(others, 0)
      const event = yield* Effect.promise(() =>
        verifyWebhook({ ...first, secrets: secret ?? "", now: new Date(second(minute).epochMilliseconds) })
      )
      assert.deepInclude<object>(event, {
        type: "alerts.changed",
        account_id: account.id,
        target_id: ref.id,
        occurred_at: "2030-01-01T00:01:00.000Z",
        counts: opened
      })
      const mail = yield* Queue.take(mails)
      assert.deepStrictEqual([mail.to, yield* Queue.size(mails)], [["ops@example.com"], 0])
      assert.match(mail.text, /^Subject: Runhook: 2 new\r$/m)
      assert.notMatch(mail.text, /^Bcc:/m)
      assert.include(mail.text, "https://runhook.example/integrations/dead-letters")

      // It is over once neither this hour nor the one before has any of it.
      for (const minutes of [0, 1, 6]) {
        yield* goTo(2 * hour + minutes * minute)
        yield* bothLook
      }
      assert.deepStrictEqual(countsOf(yield* Queue.take(receiver.received)), { opened: 0, open: 0, over: 2 })
      assert.match((yield* Queue.take(mails)).text, /^Subject: Runhook: 2 over\r$/m)
      assert.deepStrictEqual([yield* Queue.size(receiver.received), yield* Queue.size(mails)], [0, 0])
    })
  )

  it.effect("are sent by the other when one dies in the middle, once its attempt is certainly over", () =>
    Effect.gen(function* () {
      const { one, other } = yield* Service
      const receiver = yield* start(() => undefined)
      const account = yield* troubledAt(one, 10 * hour)
      yield* target(one, account, { channel: "webhook", address: receiver.url })
      const dying = yield* Effect.forkChild(one.look)
      const told = yield* Queue.take(receiver.received)
      yield* Fiber.interrupt(dying)

      yield* goTo(10 * hour + minute)
      yield* other.look
      const early = yield* Queue.size(receiver.received)
      yield* goTo(10 * hour + 2 * minute)
      const waiting = yield* Effect.forkChild(other.look)
      const again = yield* Queue.take(receiver.received)
      yield* Fiber.interrupt(waiting)

      assert.strictEqual(early, 0)
      assert.deepStrictEqual([told, again].map(countsOf), [opened, opened])
    })
  )

  it.effect("are sent by one of those that know the same of a target", () =>
    Effect.gen(function* () {
      const { one, other } = yield* Service
      const receiver = yield* start(answering(204))
      const account = yield* troubled(one, second(15 * hour))
      const { ref } = yield* target(one, account, { channel: "webhook", address: receiver.url })
      const known = yield* one.alerts.getTarget(ref)
      const content = { told: {}, body: String, subject: "", text: "" }

      const outcomes = yield* Effect.all(
        [one, other].map(({ sending }) => sending.alert(known, content)),
        { concurrency: "unbounded" }
      )

      assert.sameMembers(outcomes, [null, undefined])
      assert.strictEqual(yield* Queue.size(receiver.received), 1)
    })
  )

  it.effect("reach others while a target hangs, which is left alone for a while and then told the same", () =>
    Effect.gen(function* () {
      const { one } = yield* Service
      let isSilent = true
      const hanging = yield* start((response) => (isSilent ? undefined : response.writeHead(204).end()))
      const healthy = yield* start(answering(204))
      const account = yield* troubledAt(one, 20 * hour)
      const other = yield* troubledAt(one, 20 * hour)
      const { ref } = yield* target(one, account, { channel: "webhook", address: hanging.url })
      const { ref: others } = yield* target(one, other, { channel: "webhook", address: healthy.url })

      const look = yield* Effect.forkChild(one.look)
      yield* Queue.take(hanging.received)
      const told = yield* Queue.take(healthy.received)
      const sent = Effect.map(one.alerts.getTarget(others), ({ lastSentAt }) => lastSentAt !== null)
      // Before the time goes on that ends what hangs.
      yield* TestClock.withLive(eventually(Effect.orDie(sent), (isSent) => isSent))
      yield* TestClock.adjust("15 seconds")
      yield* Fiber.join(look)
      const failed = yield* one.alerts.getTarget(ref)
      isSilent = false
      yield* goTo(20 * hour + 2 * minute)
      yield* one.look

      assert.deepStrictEqual(countsOf(told), opened)
      assert.deepStrictEqual([failed.failures, failed.lastError], [1, "No answer came in time"])
      assert.deepStrictEqual(countsOf(yield* Queue.take(hanging.received)), opened)
      assert.strictEqual(yield* Queue.size(healthy.received), 0)
    })
  )

  it.effect("reach receivers while the mail server hangs, however many mails wait for it", () =>
    Effect.gen(function* () {
      const { url } = yield* Service
      const { connections, url: smtpUrl } = yield* mailServer({ onMailFrom: () => undefined })
      const one = yield* process({ url, smtpUrl })
      const receiver = yield* start(answering(204))
      yield* goTo(25 * hour)
      for (const _ of [1, 2, 3, 4]) {
        const account = yield* troubled(one, second(25 * hour))
        yield* Effect.forEach([...Array(10).keys()], (each) =>
          target(one, account, { channel: "email", address: `ops${each}@example.com` })
        )
      }
      const last = yield* troubled(one, second(25 * hour))
      yield* target(one, last, { channel: "webhook", address: receiver.url })

      const look = yield* Effect.forkChild(one.look)
      const told = yield* Queue.take(receiver.received)
      yield* TestClock.withLive(eventually(connections, (open) => open === 4))
      yield* Fiber.interrupt(look)

      assert.deepStrictEqual(countsOf(told), opened)
      yield* TestClock.withLive(eventually(connections, (open) => open === 0))
    })
  )

  it.effect("wait for the end of a pause", () =>
    Effect.gen(function* () {
      const { one } = yield* Service
      const receiver = yield* start(answering(204))
      const account = yield* troubledAt(one, 30 * hour)
      const pausedUntil = second(30 * hour + 10 * minute)
      yield* target(one, account, { channel: "webhook", address: receiver.url, pausedUntil })

      yield* one.look
      const early = yield* Queue.size(receiver.received)
      yield* goTo(30 * hour + 10 * minute)
      yield* one.look

      assert.strictEqual(early, 0)
      assert.deepStrictEqual(countsOf(yield* Queue.take(receiver.received)), opened)
    })
  )

  it.effect("are not sent to private addresses, to two mailboxes at once, or where redirects lead", () =>
    Effect.gen(function* () {
      const { one } = yield* Service
      const elsewhere = yield* start(answering(204))
      const receiver = yield* start((response) => {
        response.writeHead(302, { location: `${elsewhere.url}/secret-path` }).end()
      })
      const account = yield* troubledAt(one, 40 * hour)
      const private_ = yield* Effect.flip(
        target(one, account, { channel: "webhook", address: "http://10.0.0.8/hook" })
      )
      const two = yield* Effect.flip(
        target(one, account, { channel: "email", address: "ops@example.com, other@example.com" })
      )
      const { ref } = yield* target(one, account, { channel: "webhook", address: receiver.url })

      yield* one.look

      const { lastError } = yield* one.alerts.getTarget(ref)
      assert.deepStrictEqual(
        [private_, two].map(({ _tag }) => _tag),
        ["InvalidField", "InvalidField"]
      )
      assert.strictEqual(lastError, "The receiver answered 302, and redirects are not followed")
      assert.strictEqual(yield* Queue.size(elsewhere.received), 0)
    })
  )

  it.effect(
    "are not delayed by tests, of which a mailbox gets few, however it is spelt and whoever asks",
    () =>
      Effect.gen(function* () {
        const { mails, one, other } = yield* Service
        const account = yield* troubledAt(one, 50 * hour)
        const stranger = yield* troubledAt(one, 50 * hour)
        const hanging = yield* start(() => undefined)
        const ours = yield* target(one, account, { channel: "email", address: "ops@example.com" })
        const theirs = yield* target(one, stranger, { channel: "email", address: "OPS+x@Example.com" })
        const webhook = yield* target(one, account, { channel: "webhook", address: hanging.url })

        const tests = [
          ...(yield* Effect.replicateEffect(one.alerts.testTarget(ours.ref), 3)),
          ...(yield* Effect.replicateEffect(other.alerts.testTarget(theirs.ref), 2))
        ]
        const refused = yield* Effect.all(
          [one.alerts.testTarget(ours.ref), other.alerts.testTarget(theirs.ref)].map(Effect.flip)
        )
        const testing = yield* Effect.forkChild(one.alerts.testTarget(webhook.ref))
        const test = yield* Queue.take(hanging.received)
        const look = yield* Effect.forkChild(other.look)
        const alert = yield* Queue.take(hanging.received)
        // The time that ends what hangs must not end them.
        const received = yield* Queue.takeN(mails, 7)
        yield* TestClock.adjust("15 seconds")
        yield* Fiber.join(look)

        assert.deepStrictEqual(tests, [null, null, null, null, null])
        assert.deepStrictEqual(
          refused.map(({ _tag }) => _tag),
          ["AlertTooSoon", "AlertTooSoon"]
        )
        assert.deepStrictEqual(
          [test, alert].map(({ body }) => JSON.parse(body).type),
          ["alerts.test", "alerts.changed"]
        )
        assert.strictEqual(yield* Fiber.join(testing), "No answer came in time")
        const subjects = received.map(({ text }) => /^Subject: (.*)\r$/m.exec(text)?.[1])
        assert.deepStrictEqual(
          subjects.toSorted(),
          [...Array(5).fill("Runhook: a test of your alerts"), "Runhook: 2 new", "Runhook: 2 new"].toSorted()
        )
      }).pipe(Effect.provideService(CurrentActor, theService))
  )

  it.effect("come at once after a test that shows that the receiver is repaired", () =>
    Effect.gen(function* () {
      const { one } = yield* Service
      let status = 500
      const receiver = yield* start((response) => response.writeHead(status).end())
      const account = yield* troubledAt(one, 60 * hour)
      const { ref } = yield* target(one, account, { channel: "webhook", address: receiver.url })
      yield* one.look
      yield* goTo(60 * hour + minute)
      yield* one.look
      const failed = yield* one.alerts.testTarget(ref)
      const before = yield* Queue.takeAll(receiver.received)
      status = 204

      yield* one.alerts.testTarget(ref)
      yield* goTo(60 * hour + 2 * minute)
      yield* one.look

      assert.deepStrictEqual([failed, before.length], ["The receiver answered 500", 3])
      assert.deepStrictEqual(
        (yield* Queue.takeAll(receiver.received)).map(({ body }) => JSON.parse(body).type),
        ["alerts.test", "alerts.changed"]
      )
    }).pipe(Effect.provideService(CurrentActor, theService))
  )

  it.effect("flood no mailbox, however often somebody adds it anew", () =>
    Effect.gen(function* () {
      const { mails, one } = yield* Service
      const account = yield* troubledAt(one, 70 * hour)
      const tenTargets = (round: number) =>
        Effect.forEach([...Array(10).keys()], (each) =>
          target(one, account, { channel: "email", address: `victim+${round}-${each}@example.com` })
        )

      yield* Effect.scoped(Effect.andThen(tenTargets(1), one.look))
      yield* goTo(70 * hour + minute)
      const targets = yield* tenTargets(2)
      yield* one.look

      assert.lengthOf(yield* Queue.takeAll(mails), 12)
      const errors = yield* Effect.forEach(targets, ({ ref }) =>
        Effect.map(one.alerts.getTarget(ref), ({ lastError }) => lastError)
      )
      const refused = errors.filter((error) => error !== null)
      assert.lengthOf(refused, 8)
      assert.strictEqual(refused[0], "This mailbox or its account got as many mails as it may in an hour")
    })
  )
})
