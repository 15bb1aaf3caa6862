/**
 * What one would write by hand: fastify, a pool of connections, one INSERT per
 * request; with a callback it goes to the outbox in the same statement. Takes
 * `DATABASE_URL`; prints its URL.
 */
import { randomUUID } from "node:crypto"
import fastify from "fastify"
import { Pool } from "pg"
import { type Body, bodySchema, connectionsMax, createdSchema, insert, insertValues } from "./Inserting.ts"

const pool = new Pool({ connectionString: process.env["DATABASE_URL"], max: connectionsMax })
const app = fastify()

const insertAndTell = `
  WITH made AS (${insert}),
  told AS (INSERT INTO outbox (id, url, body) VALUES ($7::uuid, $8, $9))
  SELECT id, created_at FROM made`

/** The row of the outbox, with the body that the service would send. */
const told = (
  { agent_id, callback_url, metadata, reference, task_id }: Body,
  id: string
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
  { schema: { body: bodySchema, response: { 201: createdSchema } } },
  async (request, reply) => {
    const { callback_url, metadata, reference } = request.body
    const id = randomUUID()
    const values = [...insertValues(request.body, id)]
    const { rows } = await pool.query<{ id: string; created_at: Date }>(
      callback_url === undefined
        ? { name: "insert", text: insert, values }
        : {
            name: "insert-and-tell",
            text: insertAndTell,
            values: [...values, ...told(request.body, id)]
          }
    )
    const [made] = rows
    return reply
      .code(201)
      .send({ execution_id: made?.id, status: "queued", reference, metadata, created_at: made?.created_at })
  }
)

console.log(await app.listen({ host: "127.0.0.1", port: 0 }))
