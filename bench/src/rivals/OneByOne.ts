/**
 * Commits the rows of a create one by one: what the database allows to who
 * sends one transaction per request and has nothing else to do. The count of
 * live executions is left out: its lock would make them wait for each other.
 */
import { spawn } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { Client } from "pg"
import type { Server } from "../Postgres.ts"

const some = "'01890000-0000-7000-8000-000000000001'::uuid"

/** One statement, one round trip, one commit: the same four rows that the service stores. */
const statement = (newId: string) => `
  WITH made AS MATERIALIZED (SELECT ${newId} AS id, now() AS at),
  requested AS (
    INSERT INTO execution_requests (
      bucket, account_id, id, api_key_id, agent_id, task_id, task_version_id, reference, metadata, params,
      bytes, priority, max_attempts, retry_backoff, request_id, created_at
    )
    SELECT 1, ${some}, id, ${some}, ${some}, ${some}, ${some}, 'order-4711',
      '{"customer":"Acme","batch":"2025-07"}', '{"copies":2}', 200, 0, 1, '{}', 'req_0123456789abcdef0123', at
    FROM made
  ),
  stored AS (
    INSERT INTO executions (
      bucket, account_id, id, agent_id, api_key_id, priority, status, updated_at, due_at
    )
    SELECT 1, ${some}, id, ${some}, ${some}, 0, 'queued', at, at FROM made
  ),
  listed AS (
    INSERT INTO execution_status (bucket, account_id, execution_id, agent_id, task_id, status)
    SELECT 1, ${some}, id, ${some}, ${some}, 'queued' FROM made
  )
  INSERT INTO ready_queue (bucket, agent_id, rank, due_at, execution_id)
  SELECT 1, ${some}, 0, at, id FROM made`

/** Ids that rise in time, as those of the service do, where the server can make them. */
const newIdOn = ({ major }: Server): string => (major >= 18 ? "uuidv7()" : "gen_random_uuid()")

export interface Committer {
  readonly name: string
  /** Commits by that many clients at once for that long; answers how many a second. */
  readonly run: (options: { readonly clients: number; readonly seconds: number }) => Promise<number>
}

interface Place {
  readonly server: Server
  readonly url: string
  readonly folder: string
}

/** `pgbench` where it is installed, and a loop of our own, which costs more, where it is not. */
export const find = async ({ folder, server, url }: Place): Promise<Committer> => {
  const sql = statement(newIdOn(server))
  const version = await pgbench(["--version"]).catch(() => undefined)
  if (version === undefined) return { name: "one by one (node)", run: (options) => loop(url, sql, options) }
  const script = join(folder, "create.sql")
  await writeFile(script, `${sql.replaceAll(/\s+/g, " ")};\n`)
  return {
    name: "pgbench",
    run: async ({ clients, seconds }) => {
      const load = [`--client=${clients}`, `--time=${seconds}`, `--file=${script}`]
      const said = await pgbench(["--no-vacuum", "--protocol=prepared", ...load, url])
      return Number(/^tps = ([\d.]+)/m.exec(said)?.[1])
    }
  }
}

const pgbench = async (args: ReadonlyArray<string>): Promise<string> => {
  const child = spawn("pgbench", args, { stdio: ["ignore", "pipe", "pipe"] })
  const failed = new Promise<never>((_, reject) => child.once("error", reject))
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  const output = Promise.all([text(child.stdout), text(child.stderr), ended])
  const [stdout, stderr, code] = await Promise.race([output, failed])
  if (code !== 0) throw new Error(`pgbench ended with ${code}: ${stderr}`)
  return stdout
}

const loop = async (
  url: string,
  sql: string,
  { clients, seconds }: { readonly clients: number; readonly seconds: number }
): Promise<number> => {
  const connected = await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new Client({ connectionString: url })
      await client.connect()
      return client
    })
  )
  const end = performance.now() + seconds * 1000
  let commits = 0
  await Promise.all(
    connected.map(async (client) => {
      while (performance.now() < end) {
        await client.query({ name: "create", text: sql })
        commits++
      }
    })
  )
  await Promise.all(connected.map((client) => client.end()))
  return commits / seconds
}
