/**
 * What one would write by hand: fastify, a pool of connections, one INSERT per
 * request; with a callback it goes to the outbox in the same statement. Takes
 * `DATABASE_URL`; prints its URL.
 */
import { randomUUID } from "node:crypto"
import fastify from "fastify"
import { Pool } from "pg"

interface Body {
  readonly agent_id: string
  readonly task_id: string
  readonly params: object
  readonly reference: string
  readonly metadata: object
  readonly callback_url?: string
}

const text = { type: "string" }
const anything = { type: "object", additionalProperties: true }
const body = {
  type: "object",
  required: ["agent_id", "task_id", "params", "reference", "metadata"],
  properties: {
    agent_id: text,
    task_id: text,
    params: anything,
    reference: text,
    metadata: anything,
    callback_url: text
  }
}
const created = {
  type: "object",
  properties: { execution_id: text, status: text, reference: text, metadata: anything, created_at: text }
}

// As many connections as the service holds.
const pool = new Pool({ connectionString: process.env["DATABASE_URL"], max: 12 })
const app = fastify()

const insert = `
  INSERT INTO execution_requests (
    bucket, account_id, id, api_key_id, agent_id, task_id, task_version_id, reference, metadata, params,
    priority, max_attempts, request_id, created_at
  )
  VALUES (1, $2::uuid, $1::uuid, $2::uuid, $2::uuid, $3::uuid, $3::uuid, $4, $5, $6, 0, 1, 'req_', now())
  RETURNING id, created_at`

const insertAndTell = `
  WITH made AS (${insert}),
  told AS (INSERT INTO outbox (id, url, body) VALUES ($7::uuid, $8, $9))
  SELECT id, created_at FROM made`

/** The row of the outbox, with the body that the service would send. */
const told = (
  { agent_id, callback_url, metadata, reference, task_id }: Body,
  id = ""
): ReadonlyArray<string> => {
  const event_id = randomUUID()
  const now = new Date().toISOString()
  const event = {
    event_id,
    type: "execution.queued",
    occurred_at: now,
    request_id: "req_0123456789abcdef0123",
    reference,
    metadata,
    execution: {
      id,
      account_id: agent_id,
      agent_id,
      task_id,
      task_version_id: task_id,
      status: "queued",
      result: null,
      error_message: null,
      started_at: null,
      stopped_at: null,
      created_at: now,
      updated_at: now
    }
  }
  return [event_id, callback_url ?? "", JSON.stringify(event)]
}

app.post<{ Body: Body }>(
  "/executions",
  { schema: { body, response: { 201: created } } },
  async (request, reply) => {
    const { agent_id, callback_url, metadata, params, reference, task_id } = request.body
    const values = [
      randomUUID(),
      agent_id,
      task_id,
      reference,
      JSON.stringify(metadata),
      JSON.stringify(params)
    ]
    const { rows } = await pool.query<{ id: string; created_at: Date }>(
      callback_url === undefined
        ? { name: "insert", text: insert, values }
        : {
            name: "insert-and-tell",
            text: insertAndTell,
            values: [...values, ...told(request.body, values[0])]
          }
    )
    const [made] = rows
    return reply
      .code(201)
      .send({ execution_id: made?.id, status: "queued", reference, metadata, created_at: made?.created_at })
  }
)

console.log(await app.listen({ host: "127.0.0.1", port: 0 }))
