/** What a viewer is not shown, wherever they look. */
import { assert, describe } from "@effect/vitest"
import { toleranceSeconds } from "@runhook/core/signing/WebhookSignature"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { makeBrowser } from "../Browser.ts"
import { operations } from "../Documented.ts"
import { jsonOf } from "../Hosts.ts"
import { test } from "../Service.ts"
import { claimed, settle } from "../Settled.ts"
import { makeExecution, makeTenant } from "../Tenant.ts"

const signature = "signed-for-the-receiver"
const given = "given-to-the-service-alone"
const query = "in-the-query-alone"
const callback_url = `https://receiver.example.com/hooks?token=${query}`

/** An account whose callback was tried once and is dead, with a replay of it and a browser for each role. */
const makeAccount = Effect.fnUntraced(function* () {
  const tenant = yield* makeTenant()
  const { account, admin, key, params } = tenant
  const { execution_id } = yield* makeExecution(tenant, { callback_url })
  const deliveries = yield* claimed
  yield* settle(
    deliveries,
    { _tag: "Dead" },
    {
      status: 401,
      requestHeaders: {
        Authorization: given,
        "X-Webhook-Signature": signature,
        "webhook-signature": `v1,${signature}`
      },
      responseHeaders: {
        location: `https://elsewhere.example.com/hooks?token=${query}`,
        "set-cookie": `session=${given}`,
        "www-authenticate": `Bearer nonce="${given}"`,
        "x-note": "for everybody"
      },
      responseBody: `Cannot POST /hooks?token=${query}`
    }
  )
  const replay = yield* admin.replays.begin({ params, payload: { q: `?token=${query}` } })
  const delivery = deliveries[0]?.id ?? ""
  const ids = [
    execution_id,
    delivery,
    "id" in replay ? replay.id : "",
    key.id,
    tenant.agent.id,
    tenant.task.id
  ]
  const browserOf = (role: "admin" | "viewer") => makeBrowser(account.id, { role })
  return { ids, delivery, path: `/api/v1/admin/accounts/${account.id}`, browserOf }
})

const textOf = (answer: Response) => Effect.promise(() => answer.text())

/** Everything that can be read in an account, of all that is there. */
const pathsOf = ({ ids, path }: Effect.Success<ReturnType<typeof makeAccount>>): ReadonlyArray<string> =>
  operations
    .filter((each) => each.method === "GET" && each.path.includes("{account_id}"))
    .filter((each) => !each.path.endsWith("/changes"))
    .flatMap((each) => ids.map((id) => each.path.replaceAll(/\{(?!account_id)[^}]+\}/g, id)))
    .map((each) => each.replace(/^.*\{account_id\}/, path))

describe("a viewer", () => {
  test("is shown no fresh signature, no credentials and no query of a URL, wherever they look", function* () {
    const account = yield* makeAccount()
    const paths = [...new Set(pathsOf(account))]
    const seenBy = Effect.fnUntraced(function* (role: "admin" | "viewer") {
      const { send } = yield* account.browserOf(role)
      const answers = yield* Effect.forEach(paths, (path) => Effect.flatMap(send(path), textOf))
      const csv = yield* send(`${account.path}/audit`, { headers: { accept: "text/csv" } })
      return [...answers, yield* textOf(csv)].join("\n")
    })

    const [whole, shown] = [yield* seenBy("admin"), yield* seenBy("viewer")]

    for (const secret of [signature, given, query]) {
      assert.include(whole, secret)
      assert.notInclude(shown, secret)
    }
    assert.include(shown, "https://receiver.example.com/hooks?masked")
    assert.include(shown, "for everybody")
  })

  test("is shown a signature that no receiver accepts any more", function* () {
    const { browserOf, delivery, path } = yield* makeAccount()
    const { send } = yield* browserOf("viewer")

    yield* TestClock.adjust(`${toleranceSeconds + 1} seconds`)

    const shown = yield* Effect.flatMap(send(`${path}/deliveries/${delivery}`), textOf)
    assert.include(shown, signature)
    assert.notInclude(shown, given)
  })

  test("cannot find out a query by searching for it", function* () {
    const { browserOf, path } = yield* makeAccount()
    const found = Effect.fnUntraced(function* (role: "admin" | "viewer", q: string) {
      const { send } = yield* browserOf(role)
      const list = yield* send(`${path}/deliveries?q=${encodeURIComponent(q)}`)
      const preview = yield* send(`${path}/deliveries/replays`, {
        method: "POST",
        body: JSON.stringify({ dry_run: true, q, status: ["dead", "cancelled", "delivered"] })
      })
      const { data } = yield* jsonOf(list)
      return [Array.isArray(data) && data.length, (yield* jsonOf(preview))["would_replay"]]
    })

    assert.deepStrictEqual(yield* found("admin", query), [1, 1])
    assert.deepStrictEqual(yield* found("viewer", query), [0, 0])
    assert.deepStrictEqual(yield* found("viewer", "example.com/hooks"), [1, 1])
  })
})
