/** The host: an application with a database, users and routes of its own, and Runhook's API below `/api/v1`. */
import { Draining } from "@runhook/core/engine/Draining"
import { type Context, Hono } from "hono"
import { Pool } from "pg"
import { type EngineOptions, startEngine } from "./Engine.ts"
import { Members } from "./Members.ts"
import { Orders } from "./Orders.ts"
import { runhookHandler } from "./RunhookRoutes.ts"

/** The host's own tables. An order of a product that does not exist is refused at the commit. */
const schema = `
  CREATE TABLE IF NOT EXISTS accounts (
    email text PRIMARY KEY, session_hash text UNIQUE NOT NULL,
    account_id uuid NOT NULL, api_key_id uuid NOT NULL, agent_id uuid NOT NULL, task_id uuid NOT NULL
  );
  CREATE TABLE IF NOT EXISTS products (name text PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS orders (
    id text PRIMARY KEY,
    email text NOT NULL REFERENCES accounts,
    product text NOT NULL REFERENCES products DEFERRABLE INITIALLY DEFERRED
  );
  INSERT INTO products VALUES ('tea') ON CONFLICT DO NOTHING`

/** Starts the host; `fetch` answers its requests until `close`. */
export const startHost = async (options: EngineOptions) => {
  const pool = new Pool({ connectionString: options.databaseUrl })
  // Of an idle connection: the next query takes another.
  pool.on("error", (error) => console.error("A connection was lost:", error.message))
  await pool.query(schema)
  const engine = startEngine(options)
  const members = new Members({ engine, pool })
  const orders = new Orders({ engine, pool })
  const runhook = await runhookHandler(engine, members)

  const memberOf = (c: Context) =>
    members.findBySession((c.req.header("authorization") ?? "").replace(/^Bearer /, ""))

  const app = new Hono()
    .post("/signup", async (c) => c.json(await members.signUp((await c.req.json()).email), 201))
    .post("/orders", async (c) => {
      const member = await memberOf(c)
      if (member === undefined) return c.json({ error: "Who are you?" }, 401)
      try {
        return c.json({ execution_id: await orders.place(member, await c.req.json()) }, 201)
      } catch (error) {
        console.error("An order was refused:", error instanceof Error ? error.message : error)
        return c.json({ error: "The order was refused, and nothing was stored" }, 409)
      }
    })
    .all("/api/v1/*", (c) => runhook.handler(c.req.raw))

  return {
    fetch: app.fetch,
    close: async () => {
      await engine.runPromise(Draining.use(({ begin }) => begin))
      await runhook.dispose()
      await engine.dispose()
      await pool.end()
    }
  }
}
