/** The same handler by hand as a function from `Request` to `Response`. Takes `DATABASE_URL`; prints its URL. */
import { randomUUID } from "node:crypto"
import { Ajv } from "ajv"
import { Pool } from "pg"
import { serveFetch } from "../FetchServer.ts"
import { type Body, bodySchema, connectionsMax, insert, insertValues } from "./Inserting.ts"

const pool = new Pool({ connectionString: process.env["DATABASE_URL"], max: connectionsMax })
const isBody = new Ajv().compile<Body>(bodySchema)

const answer = async (request: Request): Promise<Response> => {
  const body: unknown = await request.json()
  if (!isBody(body)) return Response.json({ error: isBody.errors }, { status: 400 })
  const values = [...insertValues(body, randomUUID())]
  const { rows } = await pool.query<{ id: string; created_at: Date }>({
    name: "insert",
    text: insert,
    values
  })
  const [made] = rows
  const { metadata, reference } = body
  return Response.json(
    { execution_id: made?.id, status: "queued", reference, metadata, created_at: made?.created_at },
    { status: 201 }
  )
}

console.log(await serveFetch(answer))
