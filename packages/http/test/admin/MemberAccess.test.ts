/** Every operation of the APIs, walked by somebody who may not call it. */
import { assert, describe } from "@effect/vitest"
import { type Access, accessOf } from "@runhook/contract/Access"
import { AdminApi } from "@runhook/contract/AdminApi"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { TestClock } from "effect/testing"
import { makeBrowser } from "../Browser.ts"
import { type Operation, operations } from "../Documented.ts"
import { errorOf, id } from "../Hosts.ts"
import { Host, test } from "../Service.ts"
import { makeTenant } from "../Tenant.ts"

const accesses = new Map<string, Access>()
HttpApi.reflect(AdminApi, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) =>
    void accesses.set(`${endpoint.method} ${endpoint.path.replaceAll(/:(\w+)/g, "{$1}")}`, accessOf(endpoint))
})

const nameOf = ({ method, path }: Operation): string => `${method} ${path}`
const served = operations.filter(({ path }) => !path.endsWith("/openapi.json"))
const ofAdmin = served.filter(({ path }) => path.startsWith("/api/v1/admin"))
const ofOthers = served.filter(({ path }) => !path.startsWith("/api/v1/admin"))

/** They need no key, and sign in. */
const open = new Set(["GET /api/v1/admin/sign-in", "POST /api/v1/admin/session"])
const closed = ofAdmin.filter((operation) => !open.has(nameOf(operation)))

/** The path of an operation in an account; everything else that it names is nothing. */
const pathIn = ({ path }: Operation, accountId: string): string =>
  path.replace("{account_id}", accountId).replaceAll(/\{[^}]+\}/g, id)

const accessTo = (operation: Operation): Access | undefined => accesses.get(nameOf(operation))

/** What people do in an account; what is done with accounts is for operators. */
const inAccount = closed.filter(
  (operation) => operation.path.includes("{account_id}") && accessTo(operation) !== "operator"
)

/** What an answer says, but for its request id. */
const toldBy = (answer: Response) =>
  Effect.map(
    Effect.promise(() => answer.text()),
    (text) => `${answer.status} ${text.replaceAll(/req_\w+/g, "")}`
  )

describe("the admin API", () => {
  test("asks a viewer for more than that role wherever something changes, and nowhere else", function* () {
    const { account } = yield* makeTenant()
    const { send } = yield* makeBrowser(account.id, { role: "viewer" })

    for (const operation of inAccount) {
      const answer = yield* send(pathIn(operation, account.id), { method: operation.method })
      const access = accessTo(operation)
      // What only some requests change says so itself, as it needs the request.
      const isRefused = access === "viewer" && operation.method !== "GET" && answer.status === 403
      if (access === "admin" || isRefused) {
        assert.strictEqual(answer.status, 403, nameOf(operation))
        const { details, message } = yield* errorOf(answer)
        assert.deepStrictEqual(details, { reason: "role", required: "admin" })
        assert.strictEqual(message, "Your role may look, and not change: this takes the role admin")
      } else {
        assert.strictEqual(access, "viewer", nameOf(operation))
        assert.notInclude([401, 403, 405, 500], answer.status, nameOf(operation))
      }
    }
  })

  test("lets a viewer ask what a change would do, and makes no such change for them", function* () {
    const { account, admin, agent, key, params, task } = yield* makeTenant()
    const { send } = yield* makeBrowser(account.id, { role: "viewer" })
    const post = (path: string, body: object) =>
      send(`/api/v1/admin/accounts/${account.id}${path}`, { method: "POST", body: JSON.stringify(body) })
    const run = { agent_id: agent.id, task_id: task.id, key_id: key.id }
    const version = `/tasks/${task.id}/versions`
    const schemas = { params_schema: { type: "object" } }

    const asked = [
      yield* post("/deliveries/replays", { dry_run: true }),
      yield* post("/executions?validate_only=true", run),
      yield* post(`${version}?validate_only=true`, schemas)
    ]
    const refused = [
      yield* post("/deliveries/replays", {}),
      yield* post("/executions", run),
      yield* post(version, schemas)
    ]

    const made = [
      yield* admin.replays.list({ params, query: {} }),
      yield* admin.executions.list({ params, query: {} })
    ]
    assert.deepStrictEqual(
      asked.map(({ status }) => status),
      [200, 200, 200]
    )
    for (const answer of refused) {
      assert.strictEqual(answer.status, 403)
      assert.deepStrictEqual((yield* errorOf(answer)).details, { reason: "role", required: "admin" })
    }
    assert.deepStrictEqual(
      made.map(({ data }) => data.length),
      [0, 0]
    )
  })

  test("lets an admin do everything in their account", function* () {
    const { account } = yield* makeTenant()
    const { send } = yield* makeBrowser(account.id)

    for (const operation of inAccount) {
      const answer = yield* send(pathIn(operation, account.id), { method: operation.method })
      assert.notInclude([401, 403, 405, 500], answer.status, nameOf(operation))
    }
  })

  test("keeps what is of all accounts to operators", function* () {
    const { account } = yield* makeTenant()
    const { send } = yield* makeBrowser(account.id)
    const refused: Array<string> = []

    for (const operation of closed.filter((each) => !inAccount.includes(each))) {
      const answer = yield* send(pathIn(operation, account.id), { method: operation.method })
      if (answer.status !== 403) continue
      assert.deepStrictEqual((yield* errorOf(answer)).details, { reason: "role", required: "operator" })
      refused.push(nameOf(operation))
    }

    const kept = closed.filter((operation) => accessTo(operation) === "operator").map(nameOf)
    assert.deepStrictEqual(refused, kept)
    assert.includeMembers(kept, [
      "POST /api/v1/admin/accounts",
      "PATCH /api/v1/admin/accounts/{account_id}",
      "POST /api/v1/admin/secret-keys/reseal"
    ])
  })

  test("answers for the account of somebody else exactly as for one that nobody has", function* () {
    const { account } = yield* makeTenant()
    const { account: foreign } = yield* makeTenant()
    const { send } = yield* makeBrowser(account.id)

    for (const operation of inAccount) {
      const { method } = operation
      const theirs = yield* send(pathIn(operation, foreign.id.toUpperCase()), { method })
      const nobodys = yield* send(pathIn(operation, id), { method })
      const told = yield* toldBy(theirs)
      assert.match(told, /^404 .*"code":"not_found"/, nameOf(operation))
      assert.strictEqual(told, yield* toldBy(nobodys), nameOf(operation))
      assert.deepStrictEqual([...theirs.headers.keys()], [...nobodys.headers.keys()])
    }
  })

  test("lets a cookie change nothing for a page of another site", function* () {
    const { account } = yield* makeTenant()
    const browser = yield* makeBrowser(account.id)
    const send = yield* Host
    const strangers: ReadonlyArray<Readonly<Record<string, string>>> = [
      {},
      { "x-runhook-console": "1" },
      { origin: "http://localhost" },
      { origin: "http://localhost", "x-runhook-console": "0" },
      { origin: "https://elsewhere.example", "x-runhook-console": "1" },
      { origin: "http://localhost:1234", "x-runhook-console": "1" },
      { origin: "null", "x-runhook-console": "1" },
      { "sec-fetch-site": "same-site", "x-runhook-console": "1" }
    ]

    const changes = closed.filter(({ method }) => method !== "GET")
    for (const operation of changes) {
      for (const headers of strangers) {
        const answer = yield* send(pathIn(operation, account.id), {
          method: operation.method,
          headers: { cookie: browser.cookie, ...headers }
        })
        assert.strictEqual(answer.status, 403, `${nameOf(operation)} ${JSON.stringify(headers)}`)
        assert.deepStrictEqual((yield* errorOf(answer)).details, { reason: "cross_site" })
      }
    }
    const still = yield* browser.send("/api/v1/admin/session")
    assert.isNotEmpty(changes)
    assert.strictEqual(still.status, 200)
  })

  test("takes the word of a browser that the page is of the same origin, whatever it calls itself", function* () {
    const { account } = yield* makeTenant()
    const { cookie } = yield* makeBrowser(account.id)
    const send = yield* Host

    const answer = yield* send("/api/v1/admin/session", {
      method: "DELETE",
      headers: {
        cookie,
        origin: "http://127.0.0.1",
        "sec-fetch-site": "same-origin",
        "x-runhook-console": "1"
      }
    })

    assert.strictEqual(answer.status, 204)
  })

  test("opens nothing without a key or a cookie, but for signing in", function* () {
    const send = yield* Host

    for (const operation of closed) {
      // Whoever asks too often without a key is told so instead.
      yield* TestClock.adjust("1 second")
      const answer = yield* send(pathIn(operation, id), { method: operation.method })
      assert.strictEqual(answer.status, 401, nameOf(operation))
    }
  })
})

test("a cookie opens neither the integration API nor that of runners", function* () {
  const { account } = yield* makeTenant()
  const { send } = yield* makeBrowser(account.id)

  for (const operation of ofOthers.filter(({ path }) => path.startsWith("/api/v1/"))) {
    const answer = yield* send(pathIn(operation, account.id), { method: operation.method })
    // Files are opened by what their URL grants.
    assert.include([400, 401, 403], answer.status, nameOf(operation))
    if (!operation.path.includes("/files/")) assert.strictEqual(answer.status, 401, nameOf(operation))
  }
  assert.isNotEmpty(ofOthers)
})
