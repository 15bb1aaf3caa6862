import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { bodyOf, eventually, request } from "./Http.ts"
import { developmentServer, runhook } from "./RunhookProcess.ts"
import { silentServer } from "./SilentServer.ts"

const decoded = <A>(schema: Schema.Codec<A, unknown>) =>
  Schema.decodeUnknownEffect(Schema.fromJsonString(schema))

const adminKey = "the-admin-key-of-a-test-of-commands"

/** The body of a success of a `POST`. */
const post = <A>(
  url: string,
  options: { readonly key: string; readonly body: object; readonly answer: Schema.Codec<A, unknown> }
) =>
  request(url, {
    method: "POST",
    headers: { authorization: `Bearer ${options.key}`, "content-type": "application/json" },
    body: JSON.stringify(options.body)
  }).pipe(Effect.flatMap(bodyOf(options.answer)))

const decodeList = decoded(Schema.Struct({ data: Schema.Array(Schema.Struct({ id: Schema.String })) }))
const decodeReplayed = decoded(Schema.Struct({ state: Schema.String, round: Schema.Int }))
const Shown = Schema.Struct({
  state: Schema.String,
  waiting_for: Schema.NullOr(Schema.String),
  attempts_log: Schema.Array(
    Schema.Struct({ response: Schema.NullOr(Schema.Struct({ status: Schema.Int })) })
  )
})
const decodeShown = decoded(Shown)

describe("runhook deliveries", () => {
  it.live("lists what became of webhooks, shows one with its attempts, and sends it again", () =>
    Effect.gen(function* () {
      const { baseUrl, settings } = yield* developmentServer({ RUNHOOK_ADMIN_KEY: adminKey })
      const api = `${baseUrl}/api/v1`
      const receiver = yield* silentServer
      yield* Effect.forkScoped(receiver.answer)
      const run = (...args: ReadonlyArray<string>) =>
        runhook(args, { ...settings, RUNHOOK_BASE_URL: baseUrl })
      const { id: account } = yield* post(`${api}/admin/accounts`, {
        key: adminKey,
        body: { name: "Acme" },
        answer: Schema.Struct({ id: Schema.String })
      })
      const { key } = yield* post(`${api}/admin/accounts/${account}/keys`, {
        key: adminKey,
        body: { name: "Orders" },
        answer: Schema.Struct({ key: Schema.String })
      })
      const { delivery_id } = yield* post(`${api}/integrations/webhooks/test`, {
        key,
        body: { callback_url: receiver.url },
        answer: Schema.Struct({ delivery_id: Schema.String })
      })
      const delivery = request(`${api}/integrations/webhooks/deliveries/${delivery_id}`, {
        headers: { authorization: `Bearer ${key}` }
      }).pipe(Effect.flatMap(bodyOf(Shown)))
      yield* eventually(delivery, ({ state }) => state === "delivered")
      const named = ["--account", account, delivery_id]

      const list = yield* run(
        "deliveries",
        "list",
        `--account=${account}`,
        "--status=dead",
        "--status=delivered",
        "--type=webhook.test",
        "--search=127.0.0.1",
        "--from=2020-01-01T00:00:00Z"
      )
      const shown = yield* run("deliveries", "get", ...named)
      const replayed = yield* run("deliveries", "replay", ...named)
      const again = yield* run("deliveries", "replay", ...named)

      assert.deepStrictEqual((yield* decodeList(list.stdout)).data, [{ id: delivery_id }])
      assert.deepStrictEqual(yield* decodeShown(shown.stdout), {
        state: "delivered",
        waiting_for: null,
        attempts_log: [{ response: { status: 204 } }]
      })
      assert.deepStrictEqual(yield* decodeReplayed(replayed.stdout), { state: "pending", round: 2 })
      assert.deepStrictEqual(
        [again.code, again.stderr],
        [4, `runhook: Delivery ${delivery_id} is pending: it is still being delivered\n`]
      )
    })
  )
})
