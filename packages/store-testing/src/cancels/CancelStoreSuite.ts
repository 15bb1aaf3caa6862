/**
 * What the jobs of every CancelStore cancel, and how they end. Jobs are advanced whosever they are, so no other suite
 * may run in the same database at the same time.
 */
import { assert } from "@effect/vitest"
import type { CancelFilter } from "@runhook/core/cancels/CancelJob"
import { AgentId, ScheduleId, TaskId } from "@runhook/core/shared/Ids"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { HistoryStore } from "@runhook/core/executions/history/HistoryStore"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { jana } from "../audit/AuditFixtures.ts"
import { makeAgent, makeTask, makeVersion } from "../catalog/CatalogFixtures.ts"
import { callbackUrl, eventsOf, idAt, makeExecution, makeTenant, second, type Stores } from "../Fixtures.ts"
import { claimUpTo, makeAskingRun, makeSession, makeStartedRun } from "../runs/RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"
import {
  advance,
  beginning,
  countOf,
  current,
  finish,
  makeCancelJob,
  newJob,
  queuedOnes,
  statusesOf
} from "./CancelFixtures.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("CancelStore", { layer, name }, (it) => {
    it.test("keeps a job as it was made", function* () {
      const tenant = yield* makeTenant()
      const { accountId, apiKeyId } = tenant
      const filter = {
        statuses: ["queued", "running"],
        taskId: tenant.taskId,
        agentId: tenant.agentId,
        reference: "order-7",
        scheduleId: yield* idAt(ScheduleId, second(1)),
        find: "order",
        from: second(1),
        to: second(2)
      } as const
      const scope = { taskIds: [tenant.taskId], agentIds: [] }

      const job = yield* makeCancelJob(tenant, filter, {
        apiKeyId,
        actor: jana,
        scope,
        endsAs: "cancelled",
        reason: "No longer wanted",
        idempotencyKey: "night",
        matched: 7
      })

      assert.deepStrictEqual(yield* current(job), job)
      assert.deepInclude(job, { accountId, apiKeyId, filter, scope, status: "running", cancelled: 0 })
      assert.deepStrictEqual([job.createdAt, job.finishedAt], [beginning, null])
      yield* finish(job)
    })

    it.test(
      "cancels everything unfinished by bites, oldest first, each as a single cancel does",
      function* () {
        const tenant = yield* makeTenant()
        const { run } = yield* makeStartedRun(tenant, { callbackUrl })
        const { run: asking } = yield* makeAskingRun(tenant, {
          execution: { callbackUrl, createdAt: second(1) }
        })
        const held = yield* makeExecution(tenant, { status: "pending", createdAt: second(2) })
        const queued = yield* makeExecution(tenant, { callbackUrl, createdAt: second(3) })
        const delayed = yield* makeExecution(tenant, { scheduledAt: second(9_000), createdAt: second(4) })
        const all = [run.execution, asking.execution, held, queued, delayed]
        const job = yield* makeCancelJob(tenant, {}, { reason: "Enough" })
        const matched = yield* countOf(job)

        const first = yield* advance(3)
        const between = yield* statusesOf(all)
        const next = yield* advance(3, { at: second(102) })

        assert.strictEqual(matched, 5)
        assert.deepStrictEqual(between, ["aborted", "aborted", "aborted", "queued", "queued"])
        assert.deepStrictEqual(
          [...(first?.changes ?? []), ...(next?.changes ?? [])].map((change) => change.run.execution.id),
          all.map(({ id }) => id)
        )
        assert.deepInclude(first?.job, { status: "running", cancelled: 3, lastSeenId: held.id })
        assert.deepInclude(next?.job, { status: "completed", cancelled: 5, skipped: 0, failed: 0 })
        assert.deepStrictEqual(next?.job.finishedAt, second(102))
        assert.deepStrictEqual(yield* current(job), next?.job)
        assert.deepStrictEqual(yield* eventsOf(queued), ["execution.queued", "execution.aborted"])
        const stopped = yield* ExecutionStore.use((store) => store.get(tenant.accountId, run.execution.id))
        assert.deepInclude(stopped, { status: "aborted", statusReason: "Enough" })
        assert.isAbove(stopped.epoch, run.execution.epoch)
        const history = yield* HistoryStore.use((store) =>
          store.events({ accountId: tenant.accountId, id: queued.id, after: 0, limit: 9 })
        )
        assert.strictEqual(history.length, 2)
        // Nothing is left of them in queues and slots.
        const { claims } = yield* claimUpTo(yield* makeSession(tenant), { limit: 9, at: second(103) })
        assert.deepStrictEqual(claims, [])
        assert.isNull(yield* advance(3))
      }
    )

    it.test(
      "leaves alone what was created after it began, is finished, or is another account's",
      function* () {
        const [tenant, stranger] = [yield* makeTenant(), yield* makeTenant()]
        const done = yield* makeExecution(tenant)
        yield* ExecutionStore.use((store) =>
          store.stop({ ...done, to: "cancelled", reason: null, at: second(5) })
        )
        const before = yield* makeExecution(tenant, { createdAt: second(99) })
        const job = yield* makeCancelJob(tenant)
        const after = yield* makeExecution(tenant, { createdAt: second(100.001) })
        const foreign = yield* makeExecution(stranger)

        const { cancelled } = yield* finish(job)

        assert.strictEqual(cancelled, 1)
        assert.deepStrictEqual(yield* statusesOf([done, before, after, foreign]), [
          "cancelled",
          "aborted",
          "queued",
          "queued"
        ])
      }
    )

    it.test(
      "cancels, and counts before, what matches each part of the filter and of the scope",
      function* () {
        const tenant = yield* makeTenant()
        const { accountId } = tenant
        const task = yield* makeTask(accountId)
        const other = {
          taskId: task.id,
          taskVersionId: (yield* makeVersion(task)).id,
          agentId: (yield* makeAgent(accountId)).id
        }
        const scheduleId = yield* idAt(ScheduleId, second(0))
        const none = yield* idAt(TaskId, second(0))
        const noAgent = yield* idAt(AgentId, second(0))
        /** Makes three anew, and answers which of them the job has cancelled. */
        const cancelledBy = Effect.fnUntraced(function* (
          filter: Partial<CancelFilter>,
          scope: { readonly taskIds?: ReadonlyArray<TaskId>; readonly agentIds?: ReadonlyArray<AgentId> } = {}
        ) {
          const three = [
            yield* makeExecution(tenant, { reference: "order-7", createdAt: second(1) }),
            yield* makeExecution({ ...tenant, ...other }, { createdAt: second(2) }),
            yield* makeExecution(tenant, { status: "pending", scheduleId, createdAt: second(3) })
          ]
          const job = yield* makeCancelJob(tenant, filter, {
            scope: { taskIds: null, agentIds: null, ...scope }
          })
          const matched = yield* countOf(job)
          const { cancelled } = yield* finish(job)
          const which = (yield* statusesOf(three)).map((status) => status === "aborted")
          assert.deepStrictEqual([matched, cancelled], [cancelled, which.filter(Boolean).length])
          yield* finish(yield* makeCancelJob(tenant))
          return which.map((is) => (is ? "x" : "-")).join("")
        })

        assert.strictEqual(yield* cancelledBy({}), "xxx")
        assert.strictEqual(yield* cancelledBy({ statuses: ["queued"] }), "xx-")
        assert.strictEqual(yield* cancelledBy({ statuses: ["pending", "completed"] }), "--x")
        assert.strictEqual(yield* cancelledBy({ statuses: ["running"] }), "---")
        assert.strictEqual(yield* cancelledBy({ statuses: ["completed"] }), "---")
        assert.strictEqual(yield* cancelledBy({ taskId: other.taskId }), "-x-")
        assert.strictEqual(yield* cancelledBy({ agentId: tenant.agentId }), "x-x")
        assert.strictEqual(yield* cancelledBy({ agentId: tenant.agentId, taskId: other.taskId }), "---")
        assert.strictEqual(yield* cancelledBy({ reference: "order-7" }), "x--")
        assert.strictEqual(yield* cancelledBy({ find: "order" }), "x--")
        assert.strictEqual(yield* cancelledBy({ scheduleId }), "--x")
        assert.strictEqual(yield* cancelledBy({ from: second(2) }), "-xx")
        assert.strictEqual(yield* cancelledBy({ to: second(2) }), "xx-")
        assert.strictEqual(yield* cancelledBy({}, { taskIds: [other.taskId] }), "-x-")
        assert.strictEqual(yield* cancelledBy({}, { agentIds: [tenant.agentId] }), "x-x")
        assert.strictEqual(yield* cancelledBy({ taskId: tenant.taskId }, { taskIds: [none] }), "---")
        assert.strictEqual(yield* cancelledBy({}, { agentIds: [noAgent] }), "---")
      }
    )

    it.test("goes past what does not match, a bounded number in each bite", function* () {
      const tenant = yield* makeTenant()
      yield* queuedOnes(tenant, 5)
      const wanted = yield* makeExecution(tenant, { reference: "order-7", createdAt: second(9) })
      const job = yield* makeCancelJob(tenant, { reference: "order-7" })

      const bites = [
        yield* advance(2, { seenMax: 4 }),
        yield* advance(2, { seenMax: 4 }),
        yield* advance(2, { seenMax: 4 })
      ]

      assert.deepStrictEqual(
        bites.map((bite) => [bite?.job.status, bite?.job.cancelled]),
        [
          ["running", 0],
          ["completed", 1],
          [undefined, undefined]
        ]
      )
      assert.deepStrictEqual(yield* statusesOf([wanted]), ["aborted"])
      assert.strictEqual(yield* countOf(yield* newJob(tenant), 5), 5)
      assert.isNull(yield* countOf(job, 4))
      yield* finish(yield* makeCancelJob(tenant))
    })

    it.test("counts no execution that somebody else stops meanwhile, and stops none twice", function* () {
      const tenant = yield* makeTenant()
      const store = yield* ExecutionStore
      const all = yield* queuedOnes(tenant, 12)
      const job = yield* makeCancelJob(tenant)

      const [changes] = yield* Effect.all(
        [
          Effect.forEach(
            all.toReversed(),
            ({ accountId, id }) =>
              store.stop({ accountId, id, to: "cancelled", reason: null, at: second(101) }),
            { concurrency: 3 }
          ),
          ...Array.from({ length: 6 }, () => Effect.asVoid(advance(2)))
        ],
        { concurrency: "unbounded" }
      )
      const { cancelled } = yield* finish(job)

      const byOthers = changes.filter(({ changed }) => changed).length
      assert.strictEqual(cancelled + byOthers, all.length)
      const statuses = yield* statusesOf(all)
      assert.strictEqual(statuses.filter((status) => status === "aborted").length, cancelled)
    })
  })
