import { isMailAddress } from "@runhook/core/shared/MailAddress"
import { assert, describe, it } from "@effect/vitest"
import { type Alert, AlertKind, isOpen } from "@runhook/core/alerts/Alert"
import { messageFor } from "@runhook/core/alerts/AlertMessage"
import { afterAttempt, type AlertTarget, isReady, readyAt } from "@runhook/core/alerts/AlertTarget"
import { mailText } from "@runhook/core/alerts/AlertMail"
import { summaryOf } from "@runhook/core/alerts/AlertText"
import { webhookBody } from "@runhook/core/alerts/AlertWebhook"
import { AccountId, AlertTargetId, EventId } from "@runhook/core/shared/Ids"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"

const accountId = AccountId.make("0190a5e0-0000-7000-8000-000000000001")
const targetId = AlertTargetId.make("0190a5e0-0000-7000-8000-000000000002")
const start = DateTime.makeUnsafe("2030-01-01T00:00:00Z")
const hour = (hours: number) => DateTime.add(start, { hours })

const alert = (fields: Partial<Alert> = {}): Alert => ({
  accountId,
  kind: "no_runner",
  subject: "agent-1",
  name: "Clerk",
  count: 12,
  since: start,
  seenAt: start,
  missedAt: null,
  openedAt: start,
  closedAt: null,
  ...fields
})

const target: AlertTarget = {
  id: targetId,
  accountId,
  channel: "webhook",
  address: "https://example.com",
  kinds: AlertKind.literals,
  pausedUntil: null,
  ciphertext: null,
  told: {},
  attempts: 0,
  failures: 0,
  nextAttemptAt: null,
  lastSentAt: null,
  lastError: null,
  createdAt: start,
  updatedAt: start
}

const told = (alerts: ReadonlyArray<Alert>, at = start) => ({
  ...target,
  told: messageFor(target, alerts, at)?.told ?? {}
})

const subjects = (alerts: ReadonlyArray<Alert> | undefined) => alerts?.map(({ subject }) => subject)

describe("a message to a target", () => {
  it("says all that is new together, and once", () => {
    const alerts = [alert(), alert({ subject: "agent-2" })]

    const message = messageFor(target, alerts, start)

    assert.deepStrictEqual(subjects(message?.opened), ["agent-1", "agent-2"])
    assert.isNull(messageFor(told(alerts), alerts, hour(11)))
  })

  it("says again after twelve hours what is still open", () => {
    const message = messageFor(told([alert()]), [alert()], hour(12))

    assert.deepStrictEqual(
      [subjects(message?.opened), subjects(message?.open), subjects(message?.over)],
      [[], ["agent-1"], []]
    )
  })

  it("says what is over to those who know of it, and to nobody else", () => {
    const over = [alert({ closedAt: hour(1) })]

    assert.deepStrictEqual(subjects(messageFor(told([alert()]), over, hour(1))?.over), ["agent-1"])
    assert.isNull(messageFor(target, over, hour(1)))
    assert.deepStrictEqual(messageFor(told([alert()]), over, hour(1))?.told, {})
  })

  it("says that something has opened anew, although the target knows it of an earlier time", () => {
    const message = messageFor(told([alert()]), [alert({ openedAt: hour(2) })], hour(2))

    assert.deepStrictEqual(subjects(message?.opened), ["agent-1"])
  })

  it("leaves out other kinds, other accounts unless it is the operator's, and what is not certain", () => {
    const strange = alert({ accountId: AccountId.make("0190a5e0-0000-7000-8000-000000000009") })
    const alerts = [strange, alert({ kind: "dead_letters", subject: "" }), alert({ openedAt: null })]

    assert.isNull(messageFor({ ...target, kinds: ["no_runner"] }, alerts, start))
    assert.lengthOf(messageFor({ ...target, accountId: null }, alerts, start)?.opened ?? [], 2)
  })

  it.prop(
    "leaves the target knowing exactly what is open",
    [
      Schema.Array(Schema.Struct({ opened: Schema.Boolean, closed: Schema.Boolean, wasTold: Schema.Boolean }))
    ],
    ([given]) => {
      const alerts = given.map(({ closed, opened }, each) =>
        alert({
          subject: `agent-${each}`,
          openedAt: opened || closed ? start : null,
          closedAt: closed ? hour(1) : null
        })
      )
      const before = told(
        alerts.filter((_, each) => given[each]?.wasTold === true).map((each) => ({ ...each, closedAt: null }))
      )
      const message = messageFor(before, alerts, hour(1))
      const after = { ...target, told: message?.told ?? before.told }
      const open = alerts.filter(isOpen).map(({ subject }) => `${accountId} no_runner ${subject}`)
      assert.sameMembers(Object.keys(after.told), open)
      assert.isNull(messageFor(after, alerts, hour(1)))
    }
  )
})

describe("an attempt", () => {
  it("that fails is made again after growing pauses, of an hour at most, and tells nothing", () => {
    let tried = target
    const waits = Array.from({ length: 12 }, () => {
      tried = {
        ...tried,
        ...afterAttempt(tried, { at: start, error: "No", told: { a: { opened: 1, at: 1 } } })
      }
      return ((tried.nextAttemptAt?.epochMilliseconds ?? 0) - start.epochMilliseconds) / 60_000
    })

    assert.deepStrictEqual(waits, [1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60])
    assert.deepInclude(tried, { told: {}, failures: 12, lastError: "No", lastSentAt: null })
  })

  it("that succeeds is followed by five quiet minutes", () => {
    const sent = { ...target, ...afterAttempt(target, { at: start, error: null, told: {} }) }

    assert.isFalse(isReady(sent, DateTime.add(start, { seconds: 299 })))
    assert.isTrue(isReady(sent, DateTime.add(start, { seconds: 300 })))
  })

  it("comes after those at targets that took the last one", () => {
    const failing = { ...target, failures: 3 }
    const waiting = { ...target, nextAttemptAt: hour(1) }

    assert.deepStrictEqual(readyAt([failing, waiting, target], start), [target, failing])
  })

  it("waits for the end of a pause", () => {
    const paused = { ...target, pausedUntil: hour(2) }

    assert.deepStrictEqual([isReady(paused, hour(1)), isReady(paused, hour(2))], [false, true])
  })
})

describe("the text of alerts", () => {
  const sending = {
    id: EventId.make("0190a5e0-0000-7000-8000-000000000003"),
    targetId,
    accountId,
    pageUrl: "https://runhook.example/integrations"
  }
  const news = (alerts: ReadonlyArray<Alert>, accountName = "Acme") => ({
    at: start,
    opened: alerts.map((each) => ({ ...each, accountName })),
    open: [],
    over: []
  })

  it("has one line as its subject, whatever things are called", () => {
    const strange = news([alert({ name: "Clerk\r\nBcc: all@example.com\u2028" })], "Acme\r\nX: y")

    assert.strictEqual(
      summaryOf(strange),
      "Runhook: No runner serves the agent Clerk Bcc: all＠example．com (Acme X: y)"
    )
    assert.isAtMost(summaryOf(news([alert({ name: "n".repeat(500) })])).length, 120)
    assert.notMatch(mailText(strange, sending), /\r|^Bcc/m)
  })

  it.prop(
    "never has more than one line as its subject",
    [Schema.String, Schema.String],
    ([name, account]) => {
      assert.notMatch(summaryOf(news([alert({ name })], account)), /\p{Cc}|\p{Zl}|\p{Zp}/u)
    }
  )

  it("says for people what, where, since when, how many, what to do and where to look", () => {
    const text = mailText(news([alert()]), sending)

    for (const part of [
      "No runner serves the agent Clerk",
      "Account: Acme",
      "Since 2030-01-01 00:00 UTC",
      "12 executions are due",
      "What to do: Start a runner",
      "https://runhook.example/integrations/agents/agent-1"
    ]) {
      assert.include(text, part)
    }
  })

  it("spells out twenty alerts, and counts all", () => {
    const many = news(Array.from({ length: 30 }, (_, each) => alert({ subject: `agent-${each}` })))
    const body = JSON.parse(webhookBody(many, sending))

    assert.lengthOf(body.opened, 20)
    assert.deepStrictEqual(body.counts, { opened: 30, open: 0, over: 0 })
    assert.include(mailText(many, sending), "and 10 more")
    assert.strictEqual(summaryOf(many), "Runhook: 30 new")
  })

  it("is short in a chat, and calls nobody together there", () => {
    const textOf = (message: Parameters<typeof webhookBody>[0]) =>
      JSON.parse(webhookBody(message, sending)).text
    const several = { ...news([alert(), alert()]), over: news([alert({ closedAt: hour(1) })]).opened }
    const many = news(Array.from({ length: 30 }, (_, each) => alert({ subject: `agent-${each}` })))

    const one = textOf(news([alert({ name: "<!channel>\n@all" })], "<@U1>"))

    const url = "https://runhook.example/integrations/agents/agent-1"
    assert.strictEqual(one, `Runhook: No runner serves the agent ＜！channel＞ ＠all (＜＠U1＞) ${url}`)
    assert.deepStrictEqual(textOf(several).split("\n"), [
      "Runhook: 2 new, 1 over",
      `New: No runner serves the agent Clerk (Acme) ${url}`,
      `New: No runner serves the agent Clerk (Acme) ${url}`,
      "Over: No runner serves the agent Clerk (Acme)"
    ])
    assert.lengthOf(textOf(many).split("\n"), 12)
    assert.match(textOf(many), /\nand 20 more$/)
  })

  it.each([
    ["[Sign in again](https://evil.example)", "［Sign in again］（https：//evil．example）"],
    ["![x](data:,)", "！［x］（data:,）"],
    ["www.evil.example", "www．evil．example"],
    ["mail me@evil.example", "mail me＠evil．example"],
    ["*a* _b_ ~c~ `d` #e |f| \\g", "＊a＊ ＿b＿ ～c～ ｀d｀ ＃e ｜f｜ ＼g"],
    ["<https://evil.example|here> &lt;", "＜https：//evil．example｜here＞ ＆lt;"],
    ["# Title\n> quote", "＃ Title ＞ quote"],
    ["Clerk 1.2: night shift", "Clerk 1.2: night shift"]
  ])("has no markup, mention or link in the name %s", (name, shown) => {
    const message = news([alert({ name })], name)

    const chat = JSON.parse(webhookBody(message, sending))
    const expected = `Runhook: No runner serves the agent ${shown} (${shown})`

    assert.isTrue(chat.text.startsWith(expected.slice(0, 119)), chat.text)
    assert.include(
      JSON.parse(webhookBody({ ...message, over: message.opened }, sending)).text,
      `New: No runner serves the agent ${shown} (${shown}) `
    )
    assert.isTrue(summaryOf(message).startsWith(expected.slice(0, 119)))
    assert.include(mailText(message, sending), `* No runner serves the agent ${shown}\n  Account: ${shown}\n`)
    // For programs it is as it was given.
    assert.strictEqual(chat.opened[0].account_name, name)
  })

  it("has no link to a receiver", () => {
    const receiver = "https://hooks.evil.example"
    const about = (kind: "dead_letters" | "receiver_held") => news([alert({ kind, name: receiver })])

    for (const text of [
      JSON.parse(webhookBody(about("receiver_held"), sending)).text,
      mailText(about("receiver_held"), sending),
      mailText(about("dead_letters"), sending)
    ]) {
      assert.notInclude(text, receiver)
      assert.include(text, "https：//hooks．evil．example")
    }
  })

  it("goes to one mailbox, and to nothing that could be read as another", () => {
    assert.deepStrictEqual(
      ["ops@example.com", "a.b+c@mail.example.co.uk"].map((address) => isMailAddress(address)),
      [true, true]
    )
    for (const address of [
      "ops@example.com, all@example.com",
      "ops@example.com\r\nBcc: all@example.com",
      "Ops <ops@example.com>",
      '"a b"@example.com',
      "ops@localhost",
      "ops@example.com ",
      "-oQ/tmp@example.com",
      ".ops@example.com",
      "ops.@example.com",
      "o..ps@example.com",
      `${"a".repeat(65)}@example.com`
    ]) {
      assert.isFalse(isMailAddress(address), address)
    }
  })
})
