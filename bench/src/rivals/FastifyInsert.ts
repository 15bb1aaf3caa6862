/** What one would write by hand: fastify, a pool of connections, one INSERT per request. Takes `DATABASE_URL`; prints its URL. */
import fastify from "fastify"
import { Pool } from "pg"

interface Body {
  readonly agent_id: string
  readonly task_id: string
  readonly params: object
  readonly reference: string
  readonly metadata: object
}

const text = { type: "string" }
const anything = { type: "object", additionalProperties: true }
const body = {
  type: "object",
  required: ["agent_id", "task_id", "params", "reference", "metadata"],
  properties: { agent_id: text, task_id: text, params: anything, reference: text, metadata: anything }
}
const created = {
  type: "object",
  properties: { execution_id: text, status: text, reference: text, metadata: anything, created_at: text }
}

// As many connections as the service holds.
const pool = new Pool({ connectionString: process.env["DATABASE_URL"], max: 12 })
const app = fastify()

app.post<{ Body: Body }>(
  "/executions",
  { schema: { body, response: { 201: created } } },
  async (request, reply) => {
    const { agent_id, metadata, params, reference, task_id } = request.body
    const { rows } = await pool.query<{ id: string; created_at: Date }>({
      name: "insert",
      text: `
        INSERT INTO execution_requests (
          bucket, account_id, id, api_key_id, agent_id, task_id, task_version_id, reference, metadata, params,
          priority, max_attempts, request_id, created_at
        )
        VALUES (1, $1::uuid, gen_random_uuid(), $1::uuid, $1::uuid, $2::uuid, $2::uuid, $3, $4, $5, 0, 1, 'req_', now())
        RETURNING id, created_at`,
      values: [agent_id, task_id, reference, JSON.stringify(metadata), JSON.stringify(params)]
    })
    const [made] = rows
    return reply
      .code(201)
      .send({ execution_id: made?.id, status: "queued", reference, metadata, created_at: made?.created_at })
  }
)

console.log(await app.listen({ host: "127.0.0.1", port: 0 }))
