import { assert, describe } from "@effect/vitest"
import { AccountId } from "@runhook/core/shared/Ids"
import { adminKey } from "@runhook/test-support/engine/Engine"
import * as Effect from "effect/Effect"
import { Host, refusalOf, test } from "../Service.ts"
import { makeTenant, type Tenant } from "../Tenant.ts"

const readAs = Effect.fnUntraced(function* (accept: string, path: string) {
  const send = yield* Host
  return yield* send(`/api/v1/admin/accounts/${path}`, {
    headers: { authorization: `Bearer ${adminKey}`, accept }
  })
})

/** The first page of the entries that match. */
const entriesOf = Effect.fnUntraced(function* (
  { admin, params }: Tenant,
  query: Parameters<Tenant["admin"]["audit"]["list"]>[0]["query"] = {}
) {
  const page = yield* admin.audit.list({ params, query })
  return typeof page === "string" ? yield* Effect.die("JSON was asked for") : page.data
})

const csvOf = Effect.fnUntraced(function* (path: string) {
  const answer = yield* readAs("text/csv", path)
  return { answer, lines: (yield* Effect.promise(() => answer.text())).split("\r\n").slice(0, -1) }
})

describe("the audit log of an account, over the wire", () => {
  test("tells who changed what, by which request, and names no secret", function* () {
    const tenant = yield* makeTenant()
    const { admin, key, params } = tenant
    const named = { params: { ...params, key_id: key.id } }
    const rotated = yield* admin.keys.rotate({ ...named, payload: null })
    const secret = yield* admin.keys.rotateSigningSecret({ ...named, payload: { mode: "staged" } })
    yield* admin.keys.revoke(named)

    const data = yield* entriesOf(tenant, { subject_id: key.id })

    assert.deepStrictEqual(
      data.map(({ action }) => action),
      ["key.revoked", "signing_secret.rotated", "key.rotated", "key.created"]
    )
    assert.deepStrictEqual(data[2]?.actor, {
      kind: "operator",
      id: null,
      person: null,
      name: "Admin key 1"
    })
    assert.strictEqual(data[2]?.request_id, rotated.request_id)
    const told = JSON.stringify(data)
    for (const text of [key.key, key.signing_secret, rotated.key, secret.signing_secret]) {
      assert.notInclude(told, text)
      assert.notInclude(told, text.split("_").at(-1) ?? text)
    }
  })

  test("names the key that acts in the integration API", function* () {
    const tenant = yield* makeTenant()
    const { integration, key } = tenant
    yield* integration.replays.begin({ params: {}, payload: null })

    const data = yield* entriesOf(tenant, { kind: "replay" })

    assert.deepStrictEqual(
      data.map(({ action, actor }) => ({ action, actor })),
      [{ action: "replay.begun", actor: { kind: "key", id: key.id, person: null, name: "Back office" } }]
    )
  })

  test("tells nothing of what was refused", function* () {
    const tenant = yield* makeTenant()
    const { admin, params } = tenant
    const before = yield* entriesOf(tenant)
    yield* refusalOf(admin.tasks.create({ params, payload: { slug: "print", name: "Again" } }))

    assert.deepStrictEqual(yield* entriesOf(tenant), before)
  })

  test("is there for accounts that there are", function* () {
    const { admin } = yield* makeTenant()
    const params = { account_id: AccountId.make("0192f0c1-2d3e-7abc-8def-0123456789ab") }

    const pages = yield* refusalOf(admin.audit.list({ params, query: {} }))
    const file = yield* readAs("text/csv", `${params.account_id}/audit`)

    assert.strictEqual(pages.code, "not_found")
    assert.strictEqual(file.status, 404)
    assert.match(file.headers.get("content-type") ?? "", /^application\/json/)
  })

  test("comes as one file of all that matches, whose cells no spreadsheet calculates", function* () {
    const { admin, params } = yield* makeTenant()
    yield* Effect.forEach(Array.from({ length: 250 }), (_, number) =>
      admin.agents.create({
        params,
        payload: { name: number === 0 ? "=1+1, and more" : `Press ${number}` }
      })
    )

    const { answer, lines } = yield* csvOf(`${params.account_id}/audit?kind=agent`)

    assert.strictEqual(answer.status, 200)
    assert.strictEqual(answer.headers.get("content-type"), "text/csv; charset=utf-8")
    assert.strictEqual(answer.headers.get("content-disposition"), 'attachment; filename="audit.csv"')
    assert.strictEqual(
      lines[0],
      "at,actor_kind,actor_id,actor_person,actor_name,from_address,action,subject_kind,subject_id,subject_name,before,after,request_id,id"
    )
    assert.lengthOf(lines, 1 + 250 + 1)
    assert.include(lines[1], ",Press 249,")
    assert.include(lines[250], `,"'=1+1, and more",`)
  })

  test("is a file as long as is asked for, and JSON for who does not name the form", function* () {
    const { params } = yield* makeTenant()

    const { lines } = yield* csvOf(`${params.account_id}/audit?limit=2`)
    const any = yield* readAs("*/*", `${params.account_id}/audit`)
    const both = yield* readAs("text/csv;q=0, application/json", `${params.account_id}/audit`)
    const none = yield* readAs("text/html", `${params.account_id}/audit`)
    const elsewhere = yield* readAs("text/csv", `${params.account_id}/keys`)

    assert.lengthOf(lines, 3)
    assert.match(any.headers.get("content-type") ?? "", /^application\/json/)
    assert.match(both.headers.get("content-type") ?? "", /^application\/json/)
    assert.deepStrictEqual([none.status, elsewhere.status], [406, 406])
  })
})
