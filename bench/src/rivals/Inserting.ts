/** The body that handlers written by hand take, and the statement by which they store it. */

export interface Body {
  readonly agent_id: string
  readonly task_id: string
  readonly params: object
  readonly reference: string
  readonly metadata: object
  readonly callback_url?: string
}

const text = { type: "string" }
const anything = { type: "object", additionalProperties: true }

/** JSON Schema of the body. */
export const bodySchema = {
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

/** JSON Schema of the answer. */
export const createdSchema = {
  type: "object",
  properties: { execution_id: text, status: text, reference: text, metadata: anything, created_at: text }
}

/** As many connections as the service holds. */
export const connectionsMax = 12

export const insert = `
  INSERT INTO execution_requests (
    bucket, account_id, id, api_key_id, agent_id, task_id, task_version_id, reference, metadata, params,
    bytes, priority, max_attempts, retry_backoff, request_id, created_at
  )
  VALUES (1, $2::uuid, $1::uuid, $2::uuid, $2::uuid, $3::uuid, $3::uuid, $4, $5, $6, 200, 0, 1, '{}', 'req_', now())
  RETURNING id, created_at`

export const insertValues = (
  { agent_id, metadata, params, reference, task_id }: Body,
  id: string
): ReadonlyArray<string> => [
  id,
  agent_id,
  task_id,
  reference,
  JSON.stringify(metadata),
  JSON.stringify(params)
]
