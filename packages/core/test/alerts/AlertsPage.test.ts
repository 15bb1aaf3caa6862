import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { allowancesOfAlert, allowancesOfTest, mailsMax, testsMax } from "@runhook/core/alerts/AlertAllowance"
import { heldFor, quietFor, unservedFor } from "@runhook/core/alerts/Alert"
import { messageEvery, newTarget, remindEvery, targetsMax } from "@runhook/core/alerts/AlertTarget"
import { mailText } from "@runhook/core/alerts/AlertMail"
import { type AlertOfAccount, summaryOf } from "@runhook/core/alerts/AlertText"
import { webhookBody } from "@runhook/core/alerts/AlertWebhook"
import { AccountId, AlertTargetId, EventId } from "@runhook/core/shared/Ids"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"

const page = readFileSync(new URL("../../../../docs/operating/alerts.md", import.meta.url), "utf8")

/** The first block of the page in this language. */
const block = (language: string, beginning: string) =>
  new RegExp(`^\`\`\`${language}\\n(${beginning}[^]*?)\\n\`\`\`$`, "m").exec(page)?.[1] ?? ""

const accountId = AccountId.make("01987b00-1111-7222-8333-444455556666")
const targetId = AlertTargetId.make("01987c11-0a4f-7b6e-8d2c-1f3e5a7b9c0d")
const at = DateTime.makeUnsafe("2026-03-02T09:15:00Z")
const since = DateTime.makeUnsafe("2026-03-02T09:08:41Z")

const unserved: AlertOfAccount = {
  accountId,
  accountName: "Acme",
  kind: "no_runner",
  subject: "01987b05-2222-7333-8444-555566667777",
  name: "browser",
  count: 12,
  since,
  seenAt: at,
  missedAt: null,
  openedAt: at,
  closedAt: null
}

const over: AlertOfAccount = {
  ...unserved,
  kind: "dead_letters",
  subject: "",
  name: "",
  since: DateTime.makeUnsafe("2026-03-02T07:20:00Z"),
  closedAt: DateTime.makeUnsafe("2026-03-02T09:14:00Z")
}

const sending = {
  targetId,
  accountId,
  pageUrl: "https://runhook.example.com/integrations",
  id: EventId.make("01987d3e-5b2a-7c41-9f0e-3a6b5c7d8e9f")
}

describe("docs/operating/alerts.md", () => {
  it("shows a webhook and a mail as they are", () => {
    const webhook = webhookBody({ at, opened: [unserved], open: [], over: [] }, sending)
    const news = { at, opened: [unserved], open: [], over: [over] }

    assert.strictEqual(JSON.stringify(JSON.parse(block("json", "{"))), webhook)
    const [head, ...text] = block("", "From:").split("\n\n")
    assert.include(head, `\nSubject: ${summaryOf(news)}`)
    assert.strictEqual(text.join("\n\n"), mailText(news, sending))
  })

  it("has the times and limits of the rules", () => {
    const minutes = [messageEvery, quietFor, unservedFor].map(Duration.toMinutes)
    assert.deepStrictEqual(minutes, [5, 5, 5])
    for (const words of [
      "at most one in five minutes",
      `every ${Duration.toHours(remindEvery) === 12 ? "twelve" : ""} hours`,
      `left alone for ${Duration.toHours(heldFor) === 1 ? "an hour" : ""}`,
      `| ${targetsMax} per account, ${targetsMax} of the operator |`,
      `${mailsMax.ofMailbox} an hour from an account to a mailbox, ${mailsMax.ofAccount} an hour from an account`,
      `${testsMax.ofOwner} an hour per account, ${testsMax.ofMailbox} an hour to a mailbox`
    ])
      assert.include(page, words)
  })
})

describe("what a message uses up", () => {
  const target = newTarget({
    id: targetId,
    accountId,
    channel: "email",
    address: "Ops+Runhook@Example.com",
    kinds: [],
    pausedUntil: null,
    ciphertext: null,
    createdAt: at
  })
  const subjects = (allowances: ReadonlyArray<{ readonly subject: string }>) =>
    allowances.map(({ subject }) => subject)

  it("is counted by mailbox, however that is spelt, and alerts by account besides", () => {
    const other = { ...target, accountId: AccountId.make("01987b00-1111-7222-8333-444455556667") }
    const plain = { ...target, address: "ops@example.com" }

    assert.deepStrictEqual(allowancesOfAlert(target), allowancesOfAlert(plain))
    assert.strictEqual(new Set([target, other].flatMap((each) => subjects(allowancesOfAlert(each)))).size, 4)
    assert.strictEqual(new Set([target, other].flatMap((each) => subjects(allowancesOfTest(each)))).size, 3)
  })

  it("is nothing for webhooks and for the operator's alerts, but tests are always counted", () => {
    const webhook = { ...target, channel: "webhook" as const, address: "https://example.com/hook" }
    const operators = { ...target, accountId: null }

    assert.deepStrictEqual([webhook, operators].flatMap(allowancesOfAlert), [])
    assert.deepStrictEqual(
      [webhook, operators].map((each) => allowancesOfTest(each).length),
      [1, 2]
    )
  })
})
