/** What every store does when the items of a list are large. */
import { assert } from "@effect/vitest"
import { taskBytes } from "@runhook/core/catalog/Task"
import { executionBytes } from "@runhook/core/executions/Execution"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import { type Page, pageBytesMax, type PageRequest } from "@runhook/core/shared/Page"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { TaskStore } from "@runhook/core/catalog/TaskStore"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeAccount, makeTask, makeVersion } from "../catalog/CatalogFixtures.ts"
import { anyExecution, makeExecution, makeTenant, second, type Stores, type Tenant } from "../Fixtures.ts"
import { claimUpTo, idsOf, makeSession, makeStartedRun, startDeadline, writeTo } from "../runs/RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

/** The ids of a list of at most ten pages, page by page. */
const idsByPage = Effect.fnUntraced(function* <Item extends { readonly id: string }, E, R>(
  list: (page: PageRequest) => Effect.Effect<Page<Item>, E, R>,
  bytesMax?: number
) {
  const pages: Array<ReadonlyArray<string | undefined>> = []
  let after: string | null = null
  while (pages.length < 10) {
    const page: Page<Item> = yield* list({
      after,
      limit: 100,
      ...(bytesMax === undefined ? {} : { bytesMax })
    })
    pages.push(page.items.map(({ id }) => id))
    after = page.items.at(-1)?.id ?? null
    if (!page.hasMore) break
  }
  return pages
})

const executionsByPage = ({ accountId }: Tenant, bytesMax?: number) =>
  Effect.flatMap(ExecutionStore, (store) =>
    idsByPage((page) => store.list(accountId, anyExecution, page), bytesMax)
  )

/** Of so many bytes, and easy to compress: what counts is what a caller gets. */
const textOf = (bytes: number) => StoredJson.of({ text: "ü".repeat(bytes / 2) })

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("Bytes of pages", { layer, name }, (it) => {
    it.test("ends a page before the execution that would pass its bytes, and goes on with it", function* () {
      const tenant = yield* makeTenant()
      const made = yield* Effect.forEach([1, 2, 3, 4, 5], (at) =>
        makeExecution(tenant, { params: textOf(10_000), createdAt: second(at) })
      )
      const [first] = made
      const bytesMax = 2.5 * (first === undefined ? 0 : executionBytes(first))

      const pages = yield* executionsByPage(tenant, bytesMax)

      const [e5, e4, e3, e2, e1] = made.map(({ id }) => id).toReversed()
      assert.deepStrictEqual(pages, [[e5, e4], [e3, e2], [e1]])
    })

    it.test("gives an execution alone that is larger than a page", function* () {
      const tenant = yield* makeTenant()
      const older = yield* makeExecution(tenant, { createdAt: second(1) })
      const large = yield* makeExecution(tenant, { params: textOf(50_000), createdAt: second(2) })
      const newer = yield* makeExecution(tenant, { createdAt: second(3) })

      const pages = yield* executionsByPage(tenant, 20_000)

      assert.deepStrictEqual(pages, [[newer.id], [large.id], [older.id]])
    })

    it.test("counts the results of executions and their metadata", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const runs = yield* RunStore
      const { run } = yield* makeStartedRun(tenant, { createdAt: second(0.2) })
      const outcome = { _tag: "Completed", result: textOf(30_000) } as const
      yield* runs.finish({ ...writeTo(run, second(3)), outcome, fingerprint: "done" })
      const noted = yield* makeExecution(tenant, { metadata: textOf(8_000), createdAt: second(4) })
      const plain = yield* makeExecution(tenant, { createdAt: second(5) })

      const pages = yield* executionsByPage(tenant, 9_500)

      const done = run.execution.id
      assert.deepStrictEqual(pages, [[plain.id], [noted.id], [done]])
      const { items } = yield* store.list(tenant.accountId, anyExecution, { after: noted.id, limit: 1 })
      assert.deepStrictEqual(items[0]?.result, textOf(30_000))
    })

    it.test("has a page of four mebibytes by default", function* () {
      const tenant = yield* makeTenant()
      const params = textOf(0.4 * pageBytesMax)
      const [e1, e2, e3] = yield* Effect.forEach([1, 2, 3], (at) =>
        makeExecution(tenant, { params, createdAt: second(at) })
      )

      const pages = yield* executionsByPage(tenant)

      assert.deepStrictEqual(pages, [[e3?.id, e2?.id], [e1?.id]])
    })

    it.test("hands out as much work as a claim has room for, and the rest with the next", function* () {
      const runs = yield* RunStore
      const tenant = yield* makeTenant({ capacity: 10 })
      const session = yield* makeSession(tenant)
      const made = yield* Effect.forEach([0.1, 0.2, 0.3, 0.4], (at) =>
        makeExecution(tenant, { params: textOf(10_000), createdAt: second(at) })
      )
      const claim = (claimId: string) =>
        Effect.map(
          runs.claim({ session, claimId, limit: 10, bytesMax: 25_000, startDeadline, at: second(1) }),
          ({ claims }) => idsOf(claims)
        )

      const ids: ReadonlyArray<string> = made.map(({ id }) => id)
      assert.deepStrictEqual(yield* claim("first"), ids.slice(0, 2))
      assert.deepStrictEqual(yield* claim("second"), ids.slice(2))
      assert.deepStrictEqual(yield* claim("first"), ids.slice(0, 2))
    })

    it.test("hands out work that is larger than a claim alone", function* () {
      const tenant = yield* makeTenant()
      const session = yield* makeSession(tenant)
      const params = textOf(0.6 * pageBytesMax)
      const made = yield* Effect.forEach([0.1, 0.2], (at) =>
        makeExecution(tenant, { params, createdAt: second(at) })
      )

      const first = yield* claimUpTo(session, { limit: 10, at: second(1) })
      const then = yield* claimUpTo(session, { limit: 10, at: second(1) })

      assert.deepStrictEqual(
        [first, then].map(({ claims }) => idsOf(claims)),
        made.map(({ id }) => [id])
      )
    })

    it.test("ends a page before the task that would pass its bytes, and goes on with it", function* () {
      const store = yield* TaskStore
      const { id: accountId } = yield* makeAccount()
      const made = yield* Effect.forEach([1, 2, 3], () =>
        Effect.tap(makeTask(accountId, { description: "d".repeat(4_000) }), (task) =>
          makeVersion(task, { resultSchema: textOf(20_000).value })
        )
      )
      const filter = { ids: null, text: null, tag: null }
      const list = (page: PageRequest) =>
        Effect.map(store.list(accountId, filter, page), ({ hasMore, items }) => ({
          items: items.map((view) => ({ ...view, id: view.task.id })),
          hasMore
        }))
      const { items } = yield* list({ after: null, limit: 1 })
      const bytesMax = 2.5 * items.reduce((bytes, item) => bytes + taskBytes(item), 0)

      const pages = yield* idsByPage(list, bytesMax)

      const [t3, t2, t1] = made.map(({ id }) => id).toReversed()
      assert.deepStrictEqual(pages, [[t3, t2], [t1]])
    })
  })
