/** Deliveries inserted into the service's tables without the service. */
import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { channel, noticesOf } from "@runhook/store-pg/signals/NotifyPayload"
import type { Database } from "./Postgres.ts"
import type { Tenant } from "./Service.ts"

/** Whom to tell, and on whose behalf. */
export interface Target {
  readonly tenant: Pick<Tenant, "accountId" | "keyId">
  readonly url: string
}

export interface Event extends Target {
  /** UUIDv7, as the service makes them. */
  readonly id: string
}

/** Bytes of a body. */
export const bodyBytes = 1_024

export const eventFor = (target: Target): Event => {
  const time = new Date().getTime().toString(16).padStart(12, "0")
  return { ...target, id: `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}` }
}

/** Events for the targets by turns. */
export const eventsFor = (targets: ReadonlyArray<Target>, count: number): ReadonlyArray<Event> =>
  Array.from({ length: Math.ceil(count / targets.length) }, () => targets.map(eventFor))
    .flat()
    .slice(0, count)

/** A body of that size in SQL, for the id of an event. */
export const bodySql = (id: string): string =>
  `rpad('{"event_id":"' || ${id} || '","padding":"', ${bodyBytes - 2}, 'x') || '"}'`

/** Stores events that are due at once, in one transaction. */
export const store = async ({ run }: Pick<Database, "run">, events: ReadonlyArray<Event>): Promise<void> => {
  await run(
    `WITH stored AS (
      INSERT INTO webhook_deliveries (
        bucket, account_id, id, api_key_id, type, url, request_id, body, state, attempts, round,
        next_attempt_at, expires_at, created_at
      )
      SELECT a.bucket, a.id, e.id, e.key_id, 'webhook.test', e.url, 'req_0123456789abcdef0123',
        ${bodySql("e.id")}, 'pending', 0, 1, now(), now() + interval '4 days', now()
      FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) AS e (id, account_id, key_id, url)
      JOIN accounts a ON a.id = e.account_id
      RETURNING *
    )
    INSERT INTO webhook_queue (bucket, account_id, origin, is_retry, due_at, delivery_id)
    SELECT bucket, account_id, substring(url FROM '^[a-z]+://[^/?#]+'), FALSE, next_attempt_at, id FROM stored`,
    [
      events.map(({ id }) => id),
      events.map(({ tenant }) => tenant.accountId),
      events.map(({ tenant }) => tenant.keyId),
      events.map(({ url }) => url)
    ]
  )
}

/** Milliseconds between two notices of one process, as in the service. */
const noticeEvery = 10

/** Tells the dispatchers after a commit that there is something to do, as the service does. */
export const announcer = ({ run }: Pick<Database, "run">): (() => Promise<void>) => {
  let isTelling = false
  let isMore = false
  return async () => {
    isMore = true
    if (isTelling) return
    isTelling = true
    while (isMore) {
      isMore = false
      await run("SELECT pg_notify($1, $2)", [channel, noticesOf("bench", ["deliveries"])[0]])
      await pause(noticeEvery)
    }
    isTelling = false
  }
}

/** Looks ten times a second, for five minutes at most, until none waits for a receiver other than these. */
export const settled = async (
  { run }: Pick<Database, "run">,
  { except = [] }: { readonly except?: ReadonlyArray<string> } = {}
): Promise<void> => {
  const origins = except.map((url) => new URL(url).origin)
  for (let looks = 0; looks < 3_000; looks++) {
    const [waiting] = await run("SELECT FROM webhook_queue WHERE origin <> ALL ($1::text[]) LIMIT 1", [
      origins
    ])
    if (waiting === undefined) return
    await pause(100)
  }
  throw new Error("Callbacks still wait after five minutes")
}
