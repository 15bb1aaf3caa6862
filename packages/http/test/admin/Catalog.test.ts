import { assert, describe } from "@effect/vitest"
import { PlatformId, TaskVersionId } from "@runhook/core/shared/Ids"
import * as Effect from "effect/Effect"
import { makeBrowser } from "../Browser.ts"
import { tenantHost } from "../Endpoints.ts"
import { errorOf, id, jsonOf, sending } from "../Hosts.ts"
import { refusalOf, test } from "../Service.ts"
import { makeExecution, makeTenant, published } from "../Tenant.ts"

describe("the agents of an account, over the wire", () => {
  test("run one execution at a time unless their maker says otherwise", function* () {
    const { agent } = yield* makeTenant()

    assert.deepInclude(agent, { capacity: 1, description: "", labels: {}, status: "offline" })
  })

  test("are changed in the fields that are given, and in no others", function* () {
    const { admin, params } = yield* makeTenant()
    const before = yield* admin.agents.create({
      params,
      payload: { name: "Plotter", description: "A0", labels: { floor: "2" }, capacity: 3 }
    })

    const after = yield* admin.agents.update({
      params: { ...params, agent_id: before.id },
      payload: { state: "paused" }
    })

    const { request_id, updated_at } = after
    assert.deepStrictEqual(after, { ...before, status: "paused", updated_at, request_id })
  })

  test("stay while they have work, and go when they have none", function* () {
    const tenant = yield* makeTenant()
    const { admin, params } = tenant
    const named = { params: { ...params, agent_id: tenant.agent.id } }
    const { execution_id } = yield* makeExecution(tenant)

    const refusal = yield* refusalOf(admin.agents.remove(named))

    yield* admin.executions.cancel({ params: { ...params, id: execution_id }, payload: null })
    yield* admin.agents.remove(named)
    assert.deepStrictEqual(refusal.details, { reason: "agent_in_use" })
    assert.strictEqual((yield* refusalOf(admin.agents.get(named))).code, "not_found")
  })
})

describe("the tasks of an account, over the wire", () => {
  test("run once and without a limit of time unless their maker says otherwise", function* () {
    const { task } = yield* makeTenant()

    assert.deepInclude(task, {
      description: "",
      platforms: [],
      timeout_seconds: null,
      retry: { max_attempts: 1, initial_seconds: 1, factor: 2, max_seconds: 3_600, jitter: 0.2 },
      enabled: true,
      current_version: null
    })
  })

  test("are changed in the fields that are given, and in no others", function* () {
    const { admin, params } = yield* makeTenant()
    const platforms = [{ platform_id: PlatformId.make(id), name: "Shop", handler: "browser" }]
    const before = yield* admin.tasks.create({
      params,
      payload: { slug: "plot", name: "Plot", platforms, timeout_seconds: 60, retry: { max_attempts: 3 } }
    })

    const after = yield* admin.tasks.update({
      params: { ...params, task_id: before.id },
      payload: { timeout_seconds: null, enabled: false }
    })

    const { request_id, updated_at } = after
    assert.deepStrictEqual(before.platforms, platforms)
    assert.deepStrictEqual(after, {
      ...before,
      timeout_seconds: null,
      enabled: false,
      updated_at,
      request_id
    })
  })

  test("wait between attempts as their maker says, and where that says nothing by the default", function* () {
    const { admin, params } = yield* makeTenant()
    const long = yield* admin.tasks.create({
      params,
      payload: {
        slug: "plot",
        name: "Plot",
        retry: { max_attempts: 3, initial_seconds: 7_200, jitter: 0 }
      }
    })

    const waits = { initial_seconds: 7_200, factor: 2, max_seconds: 7_200, jitter: 0 }
    assert.deepStrictEqual(long.retry, { max_attempts: 3, ...waits })
    const changed = yield* admin.tasks.update({
      params: { ...params, task_id: long.id },
      payload: { retry: { max_attempts: 2, initial_seconds: 0 } }
    })
    assert.deepStrictEqual(changed.retry, {
      max_attempts: 2,
      initial_seconds: 0,
      factor: 2,
      max_seconds: 3_600,
      jitter: 0.2
    })
  })

  test("make a version current when it is published, unless told not to", function* () {
    const { admin, params, task, version } = yield* makeTenant()
    const named = { params: { ...params, task_id: task.id } }

    const draft = yield* published(admin, {
      ...named,
      payload: { params_schema: { type: "object" }, tags: ["draft"], make_current: false }
    })

    const found = yield* admin.tasks.get(named)
    assert.strictEqual(found.current_version?.id, version.id)
    assert.strictEqual(found.latest_version?.id, draft.id)
    assert.deepInclude(draft, { number: 2, tags: ["draft"] })
  })

  test("show a version with its schemas, its tags, and whether it is current", function* () {
    const { admin, params, task, version } = yield* makeTenant()
    const named = { ...params, task_id: task.id }
    const schemas = { params_schema: { type: "object", required: ["url"] }, result_schema: null }
    const draft = yield* published(admin, {
      params: named,
      payload: { ...schemas, tags: ["draft"], make_current: false }
    })

    const shown = yield* admin.tasks.version({ params: { ...named, version_id: draft.id } })
    const first = yield* admin.tasks.version({ params: { ...named, version_id: version.id } })
    const other = yield* admin.tasks.create({ params, payload: { slug: "other", name: "Other" } })
    const foreign = yield* refusalOf(
      admin.tasks.version({ params: { ...params, task_id: other.id, version_id: draft.id } })
    )

    assert.deepInclude(shown, {
      ...schemas,
      number: 2,
      tags: ["draft"],
      is_current: false,
      task_id: task.id
    })
    assert.deepInclude(first, { number: 1, is_current: true })
    assert.strictEqual(foreign.code, "not_found")
  })

  test("check the schemas of a version without publishing it, for viewers too", function* () {
    const { account, admin, params, task } = yield* makeTenant()
    const named = { ...params, task_id: task.id }
    const path = `/api/v1/admin/accounts/${account.id}/tasks/${task.id}/versions`
    const viewer = yield* makeBrowser(account.id, { role: "viewer" })
    const body = JSON.stringify({ params_schema: { type: "object" } })

    const checked = yield* viewer.send(`${path}?validate_only=true`, { method: "POST", body })
    const refused = yield* viewer.send(path, { method: "POST", body })
    const wrong = yield* refusalOf(
      admin.tasks.publish({
        params: named,
        query: { validate_only: "true" },
        payload: { params_schema: { type: "teapot" } }
      })
    )

    const { data } = yield* admin.tasks.versions({ params: named, query: {} })
    assert.deepStrictEqual([checked.status, refused.status], [200, 403])
    assert.strictEqual((yield* jsonOf(checked))["would_publish"], true)
    assert.strictEqual(wrong.code, "invalid_params")
    assert.strictEqual(data.length, 1)
  })

  test("say in the answer what nothing checks in the schemas of a version", function* () {
    const { admin, params, task } = yield* makeTenant()
    const payload = {
      params_schema: { properties: { id: { type: "string", format: "ulid", nullable: true } } },
      result_schema: { discriminator: { propertyName: "kind" } }
    }
    const publish = (validate_only: "true" | "false") =>
      admin.tasks.publish({ params: { ...params, task_id: task.id }, query: { validate_only }, payload })

    const [checked, stored] = yield* Effect.all([publish("true"), publish("false")])

    const found = stored.warnings.map(({ field, keyword, path }) => [field, path, keyword])
    assert.deepStrictEqual(found, [
      ["params_schema", "/properties/id/nullable", "nullable"],
      ["params_schema", "/properties/id/format", "format"],
      ["result_schema", "/discriminator", "discriminator"]
    ])
    assert.deepStrictEqual(checked.warnings, stored.warnings)
  })

  test("let tags and the current version be moved", function* () {
    const { admin, params, task, version } = yield* makeTenant()
    const named = { ...params, task_id: task.id }
    const stable = { ...named, name: "stable" }
    const payload = { version_id: version.id }
    const { id: second } = yield* published(admin, {
      params: named,
      payload: { params_schema: { type: "object" } }
    })

    const tagged = yield* admin.tasks.moveTag({ params: stable, payload })
    const current = yield* admin.tasks.setCurrent({ params: named, payload })
    yield* admin.tasks.removeTag({ params: stable })

    const { data } = yield* admin.tasks.versions({ params: named, query: {} })
    assert.deepStrictEqual(tagged.tags, { stable: version.id })
    assert.strictEqual(tagged.current_version?.id, second)
    assert.strictEqual(current.current_version?.id, version.id)
    assert.deepStrictEqual(
      data.map(({ number, tags }) => ({ number, tags })),
      [
        { number: 2, tags: [] },
        { number: 1, tags: [] }
      ]
    )
  })

  test("refuse a schema that cannot be used, a slug that is taken, and what is not there", function* () {
    const { admin, params, task } = yield* makeTenant()
    const named = { ...params, task_id: task.id }

    const [schema, slug, version, tag] = yield* Effect.all([
      refusalOf(published(admin, { params: named, payload: { params_schema: { type: "teapot" } } })),
      refusalOf(admin.tasks.create({ params, payload: { slug: "print", name: "Print too" } })),
      refusalOf(admin.tasks.setCurrent({ params: named, payload: { version_id: TaskVersionId.make(id) } })),
      refusalOf(admin.tasks.removeTag({ params: { ...named, name: "stable" } }))
    ])

    assert.strictEqual(schema.code, "invalid_params")
    assert.deepStrictEqual(slug.details, { reason: "slug_taken" })
    assert.deepStrictEqual([version.code, tag.code], ["not_found", "not_found"])
  })

  test("say in words what a slug is made of", function* () {
    const { send, tenant } = yield* tenantHost
    const body = `{"slug": "Print it", "name": "Print"}`

    const answer = yield* send(
      "admin",
      `/api/v1/admin/accounts/${tenant.account.id}/tasks`,
      sending("POST", body)
    )

    const rule = "1 to 64 lower-case letters, digits and dashes, with no dash at either end"
    assert.strictEqual((yield* errorOf(answer)).message, `body.slug: Expected ${rule}`)
  })
})
