/**
 * What people write instead of a dispatcher, as a program: takes a hundred rows,
 * keeps them locked, signs and posts 64 at once, and updates each by itself. It
 * knows no accounts, no receivers, no attempts and no retries.
 */
import { createHmac } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import * as Schema from "effect/Schema"
import { Client } from "pg"
import { Agent, request } from "undici"

const batchSize = 100
const atOnce = 64
const idleMillis = 20

const Rows = Schema.Array(Schema.Struct({ id: Schema.String, url: Schema.String, body: Schema.String }))

const dispatcher = new Agent()
const client = new Client({ connectionString: process.env["BENCH_DATABASE_URL"] })

const send = async ({ body, id, url }: (typeof Rows.Type)[number]): Promise<void> => {
  const signature = createHmac("sha256", "secret").update(body).digest("hex")
  const answer = await request(url, {
    method: "POST",
    dispatcher,
    headers: { "content-type": "application/json", "x-webhook-event-id": id, "x-signature": signature },
    body
  })
  await answer.body.dump()
  await client.query({
    name: "sent",
    text: "UPDATE outbox SET state = 'delivered', status = $2, sent_at = now() WHERE id = $1",
    values: [id, answer.statusCode]
  })
}

/** Sends what is there, a hundred at most; answers how many there were. */
const sendSome = async (): Promise<number> => {
  await client.query("BEGIN")
  const { rows } = await client.query(
    `SELECT id, url, body FROM outbox WHERE state = 'pending' ORDER BY created_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED`
  )
  const rest = Schema.decodeUnknownSync(Rows)(rows)[Symbol.iterator]()
  const work = async () => {
    for (const row of rest) await send(row)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  await client.query("COMMIT")
  return rows.length
}

const stopping = new AbortController()
process.once("SIGTERM", () => stopping.abort())

await client.connect()
console.log("ready: yes")
while (!stopping.signal.aborted) {
  if ((await sendSome()) === 0) await pause(idleMillis)
}
await client.end()
await dispatcher.close()
