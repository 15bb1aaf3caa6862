/** What goes on in all accounts together: plain looks over all buckets that lock nothing, each of bounded length. */
import { AgentId } from "@runhook/core/shared/Ids"
import { presence } from "@runhook/core/runs/sessions/RunnerSession"
import { serviceCountsTo } from "@runhook/core/usage/UsageCounts"
import type { ServiceStanding } from "@runhook/core/usage/UsageStore"
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { makeTimeSqlAt } from "../clock/StoreClock.ts"
import { integer } from "../sql/Parameters.ts"
import { decoded } from "../sql/SqlErrors.ts"
import { makeWaitingWork } from "./WaitingWork.ts"

const WaitingRow = Schema.Struct({
  agentId: AgentId,
  executions: Schema.Int,
  oldestDueAt: Schema.DateTimeUtc
})

const counts = [
  "runners",
  "waitingDeliveries",
  "failingDeliveries",
  "deadLetters",
  "heldReceivers",
  "artifactBytes",
  "awaitedUploads"
] as const

const CountRow = Schema.Struct({ name: Schema.Literals(counts), number: Schema.Finite })

const longestFirst = Order.mapInput(DateTime.Order, ({ oldestDueAt }: typeof WaitingRow.Type) => oldestDueAt)

export const makeServiceStanding = Effect.gen(function* () {
  const sql = yield* SqlClient
  const timeSqlAt = yield* makeTimeSqlAt
  const waitingWork = yield* makeWaitingWork
  const everywhere = () => sql`TRUE`

  return Effect.fnUntraced(function* (options: { readonly at: DateTime.Utc; readonly agents: number }) {
    const { agents, at } = options
    const timeSql = timeSqlAt(at)
    const most = integer(serviceCountsTo)

    const waiting = yield* decoded(WaitingRow)(sql`
      SELECT a.id AS "agentId", w.executions, w.due_at AS "oldestDueAt"
      FROM agents a
      CROSS JOIN LATERAL (${waitingWork({ timeSql, within: everywhere, countsTo: serviceCountsTo })}) AS w
      WHERE w.executions > 0
      ORDER BY w.due_at, a.id
      LIMIT ${integer(agents)}`)

    const counted = (name: (typeof counts)[number], counting: Fragment) => sql`
      SELECT ${sql.literal(`'${name}'`)} AS name, count(*)::float8 AS number
      FROM (SELECT t.bucket FROM ${counting} LIMIT ${most}) AS counted`
    const rows = yield* decoded(CountRow)(sql`
      ${counted("runners", sql`runner_sessions t WHERE t.last_seen_at > ${timeSql.before(presence)}`)}
      UNION ALL
      ${counted("waitingDeliveries", sql`webhook_queue t`)}
      UNION ALL
      ${counted("failingDeliveries", sql`webhook_failing t`)}
      UNION ALL
      ${counted("deadLetters", sql`webhook_dead t`)}
      UNION ALL
      ${counted("heldReceivers", sql`webhook_receivers t WHERE t.held_until > ${timeSql.now}`)}
      UNION ALL
      ${counted("awaitedUploads", sql`artifacts t WHERE NOT t.is_ready`)}
      UNION ALL
      SELECT 'artifactBytes', coalesce(sum(t.bytes), 0)::float8 FROM artifact_usage t`)
    const total = (name: (typeof counts)[number]) =>
      Arr.reduce(rows, 0, (sum, row) => (row.name === name ? sum + row.number : sum))

    const standing: ServiceStanding = {
      waiting: Arr.sort(waiting, longestFirst).slice(0, agents),
      runners: total("runners"),
      waitingDeliveries: total("waitingDeliveries"),
      failingDeliveries: total("failingDeliveries"),
      deadLetters: total("deadLetters"),
      heldReceivers: total("heldReceivers"),
      artifactBytes: total("artifactBytes"),
      awaitedUploads: total("awaitedUploads")
    }
    return standing
  })
})
