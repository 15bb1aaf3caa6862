/** Alerts over the wire: of an account for its key, its people and the operator, and of all accounts. */
import { assert, describe, it } from "@effect/vitest"
import { AlertTargetId } from "@runhook/core/shared/Ids"
import { AlertChannels } from "@runhook/core/alerts/AlertChannels"
import { AlertStore } from "@runhook/core/alerts/AlertStore"
import type { WebhookRequest } from "@runhook/core/signing/SignedRequest"
import { adminKey } from "@runhook/test-support/engine/Engine"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeBrowser } from "./Browser.ts"
import { errorOf, id, jsonOf } from "./Hosts.ts"
import { Host, integrationClient, refusalOf, service, test } from "./Service.ts"
import { makeTenant, type Tenant } from "./Tenant.ts"

const chat = "https://hooks.example.com/services/T0/secret"
const webhook = { channel: "webhook", address: chat } as const
const unknown = AlertTargetId.make(id)

/** Opens the alert of an agent that nobody serves. */
const openAlert = Effect.fnUntraced(function* ({ account, agent }: Tenant) {
  const store = yield* AlertStore
  const at = yield* DateTime.now
  const turn = yield* store.takeTurn({ at, until: DateTime.add(at, { minutes: 2 }) })
  assert(turn !== null)
  const alert = {
    accountId: account.id,
    kind: "no_runner",
    subject: agent.id,
    name: agent.name,
    count: 12,
    since: at,
    seenAt: at,
    missedAt: null,
    openedAt: at,
    closedAt: null
  } as const
  yield* store.replaceAlerts({ turn, alerts: [alert] })
})

const withAdminKey = { headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" } }

describe("the targets of alerts", () => {
  test("are added with a secret that is shown once, and without the path of their URL", function* () {
    const { integration } = yield* makeTenant()

    const added = yield* integration.alerts.addTarget({ params: {}, payload: webhook })
    const { data } = yield* integration.alerts.targets({ params: {} })

    const { request_id: _, signing_secret, ...target } = added
    assert.match(String(signing_secret), /^whsec_/)
    assert.strictEqual(target.address, "https://hooks.example.com/masked")
    assert.deepStrictEqual(target.kinds, ["dead_letters", "receiver_held", "no_runner", "failing_rate"])
    assert.deepStrictEqual(data, [target])
  })

  test("are changed, paused and removed", function* () {
    const { admin, params } = yield* makeTenant()
    const { id: targetId } = yield* admin.alerts.addTarget({ params, payload: webhook })
    const ref = { params: { ...params, id: targetId } }
    const until = DateTime.makeUnsafe("2030-01-01T00:00:00Z")

    yield* admin.alerts.changeTarget({ ...ref, payload: { kinds: ["no_runner"] } })
    const paused = yield* admin.alerts.changeTarget({ ...ref, payload: { paused_until: until } })
    const resumed = yield* admin.alerts.changeTarget({ ...ref, payload: { paused_until: null } })
    yield* admin.alerts.removeTarget(ref)

    assert.deepStrictEqual(paused.kinds, ["no_runner"])
    assert.deepStrictEqual(paused.paused_until, until)
    assert.isNull(resumed.paused_until)
    assert.strictEqual((yield* refusalOf(admin.alerts.getTarget(ref))).code, "not_found")
  })

  test("are those of one owner: other accounts, and the operator, have others", function* () {
    const ours = yield* makeTenant()
    const theirs = yield* makeTenant()
    const { id: targetId } = yield* ours.integration.alerts.addTarget({ params: {}, payload: webhook })
    const ref = { params: { id: targetId } }
    const calls = [
      theirs.integration.alerts.getTarget(ref),
      theirs.integration.alerts.changeTarget({ ...ref, payload: { kinds: ["no_runner"] } }),
      theirs.integration.alerts.removeTarget(ref),
      theirs.integration.alerts.testTarget(ref),
      ours.admin.serviceAlerts.getTarget(ref),
      ours.admin.serviceAlerts.removeTarget({ params: { id: unknown } })
    ]

    for (const call of calls) assert.strictEqual((yield* refusalOf(call)).code, "not_found")
    yield* ours.admin.serviceAlerts.addTarget({ params: {}, payload: webhook })
    assert.lengthOf((yield* ours.integration.alerts.targets({ params: {} })).data, 1)
    assert.lengthOf((yield* ours.admin.serviceAlerts.targets({ params: {} })).data, 1)
    assert.lengthOf((yield* theirs.integration.alerts.targets({ params: {} })).data, 0)
  })

  test("are refused with the field and the rule", function* () {
    const { account } = yield* makeTenant()
    const send = yield* Host
    const path = `/api/v1/admin/accounts/${account.id}/alert-targets`
    const said = Effect.fnUntraced(function* (body: object) {
      const answer = yield* send(path, { ...withAdminKey, method: "POST", body: JSON.stringify(body) })
      const { message } = yield* errorOf(answer)
      return `${answer.status} ${message}`
    })

    assert.match(yield* said({ channel: "pigeon", address: chat }), /^400 .*channel/)
    assert.match(yield* said({ channel: "webhook" }), /^400 .*address/)
    assert.match(yield* said({ ...webhook, kinds: [] }), /^400 .*kinds/)
    assert.match(yield* said({ ...webhook, kinds: ["no_runner", "no_runner"] }), /^400 .*kinds/)
    assert.match(yield* said({ ...webhook, colour: "red" }), /^400 .*colour/)
    assert.match(yield* said({ ...webhook, address: "ftp://example.com/" }), /^4\d\d .*address/)
    assert.match(yield* said({ ...webhook, address: "http://10.0.0.1/" }), /^4\d\d .*address/)
    assert.match(
      yield* said({ channel: "email", address: "ops@example.com" }),
      /^4\d\d .*channel.*sends no mails/
    )
  })

  test("are ten at most", function* () {
    const { integration } = yield* makeTenant()
    const add = integration.alerts.addTarget({ params: {}, payload: webhook })
    yield* Effect.repeat(add, { times: 9 })

    const refused = yield* refusalOf(add)

    assert.deepInclude(refused, { details: { reason: "target_limit_reached", limit: 10 } })
  })

  it.effect("are tried, and say why they take nothing", () => {
    const sent = new Array<WebhookRequest>()
    const answers = [null, "The receiver answered 503"]
    const channels = Layer.succeed(AlertChannels, {
      sendsMail: true,
      pageUrl: null,
      post: (request) => Effect.sync(() => answers[sent.push(request) - 1] ?? null),
      mail: () => Effect.succeed(null)
    })
    return Effect.gen(function* () {
      const { integration } = yield* makeTenant()
      const { id: targetId } = yield* integration.alerts.addTarget({ params: {}, payload: webhook })
      const sendTest = integration.alerts.testTarget({ params: { id: targetId } })

      assert.deepInclude(yield* sendTest, { taken: true, error: null })
      assert.deepInclude(yield* sendTest, { taken: false, error: "The receiver answered 503" })
      assert.lengthOf(sent, 2)
      const refused = yield* refusalOf(Effect.repeat(sendTest, { times: 18 }))
      assert.deepInclude(refused, { code: "rate_limited", details: { reason: "too_soon" } })
      assert.lengthOf(sent, 20)

      const mail = { channel: "email", address: "ops@example.com" } as const
      const added = yield* integration.alerts.addTarget({ params: {}, payload: mail })
      assert.deepInclude(added, { address: "ops@example.com", signing_secret: null })
      const two = { ...mail, address: "ops@example.com, eve@example.com" }
      const many = yield* refusalOf(integration.alerts.addTarget({ params: {}, payload: two }))
      assert.include(many.message, "must be one e-mail address")
    }).pipe(Effect.provide(service.pipe(Layer.provide(channels))))
  })
})

describe("alerts", () => {
  test("are listed for those whom they concern, in words", function* () {
    const ours = yield* makeTenant()
    const theirs = yield* makeTenant()
    assert.deepInclude(yield* ours.integration.alerts.list({ params: {} }), { data: [], is_more: false })
    yield* ours.admin.serviceAlerts.addTarget({ params: {}, payload: webhook })
    yield* openAlert(ours)

    const { data } = yield* ours.integration.alerts.list({ params: {} })

    assert.lengthOf(data, 1)
    assert.deepInclude(data[0], {
      kind: "no_runner",
      account_name: "Acme",
      subject: ours.agent.id,
      title: "No runner serves the agent Press",
      count: 12,
      closed_at: null
    })
    assert.deepStrictEqual((yield* ours.admin.alerts.list({ params: ours.params })).data, data)
    assert.deepStrictEqual((yield* ours.admin.serviceAlerts.list({ params: {} })).data, data)
    assert.lengthOf((yield* theirs.integration.alerts.list({ params: {} })).data, 0)
  })

  test("are for keys with the capability, and viewers see no targets", function* () {
    const { account, admin, params } = yield* makeTenant()
    const payload = { name: "Reader", capabilities: ["executions:read"] as const }
    const { key } = yield* admin.keys.create({ params, payload })
    const reader = yield* integrationClient(key)
    const viewer = yield* makeBrowser(account.id, { role: "viewer" })
    const below = `/api/v1/admin/accounts/${account.id}`

    const refused = yield* refusalOf(reader.alerts.list({ params: {} }))
    const listed = yield* viewer.send(`${below}/alerts`)
    const hidden = yield* viewer.send(`${below}/alert-targets`)
    const notTheirs = yield* viewer.send("/api/v1/admin/alerts")

    assert.deepInclude(refused, { code: "forbidden" })
    assert.deepInclude(yield* jsonOf(listed), { data: [], is_more: false })
    assert.strictEqual(hidden.status, 403)
    assert.strictEqual(notTheirs.status, 403)
  })
})
