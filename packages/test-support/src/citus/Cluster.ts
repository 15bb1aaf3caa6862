/** A coordinator and two workers of Citus on loopback, of the PostgreSQL that `pg_config` names. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { appendFile, chmod, mkdir, mkdtemp, open, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { run } from "@runhook/embedded-postgres/RunProgram"
import * as SystemUser from "@runhook/embedded-postgres/SystemUser"
import * as Effect from "effect/Effect"
import { Client } from "pg"

const asked = (what: string): string => {
  try {
    return execFileSync("pg_config", [what], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()
  } catch {
    return ""
  }
}

/** Whether the PostgreSQL of this machine has Citus. */
export const isInstalled = (): boolean => existsSync(join(asked("--pkglibdir"), "citus.so"))

/** Many databases on few servers, which nobody cuts the power of. */
const settings = (port: number) => `
listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = ''
shared_preload_libraries = 'citus'
max_connections = 300
max_worker_processes = 80
fsync = off
# Shards move beside writers.
wal_level = logical
jit = off
random_page_cost = 1.1
citus.shard_count = 16
citus.node_conninfo = 'sslmode=disable'
# By which tests have tables refuse something.
citus.enable_unsafe_triggers = on
# Whoever drops a database would wait for it.
autovacuum = off
`

export interface Node {
  readonly port: number
  /** Where it keeps everything. */
  readonly folder: string
  /** Answers when it takes connections. */
  readonly start: () => Promise<void>
  /** Answers when nothing is left of one that was killed. */
  readonly ended: () => Promise<void>
  /** Has it end its sessions, and end in order. */
  readonly stop: () => Promise<void>
  /** Stops it for good. */
  readonly end: () => Promise<void>
}

/** A server that is not started yet. Its folder goes with it. */
export const makeNode = async (): Promise<Node> => {
  const directory = await mkdtemp(join(tmpdir(), "runhook-citus-"))
  // Root's server is another user's.
  await chmod(directory, 0o711)
  const folder = join(directory, "cluster")
  const user = await Effect.runPromise(SystemUser.choose(folder))
  await mkdir(folder, { mode: 0o700 })
  await SystemUser.give(folder, user)
  const binaries = asked("--bindir")
  const args = [`--pgdata=${folder}`, "--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-locale"]
  const initdb = join(binaries, "initdb")
  await Effect.runPromise(run({ user, cwd: folder, file: initdb, args: [...args, "--no-sync"] }))
  const port = await freePort()
  await appendFile(join(folder, "postgresql.conf"), settings(port))
  let life: { readonly server: ChildProcess; readonly ended: Promise<unknown> } | undefined
  const ended = async () => {
    await life?.ended
    life = undefined
  }
  const stop = async () => {
    life?.server.kill("SIGINT")
    await ended()
  }
  return {
    port,
    folder,
    start: async () => {
      await using log = await open(join(directory, "log"), "a")
      const server = spawn(join(binaries, "postgres"), ["-D", folder], {
        ...user,
        cwd: folder,
        // Where it looks for certificates as a client of the others.
        env: { HOME: folder },
        stdio: ["ignore", "ignore", log.fd]
      })
      life = { server, ended: once(server, "exit") }
      await untilAnswered(port)
    },
    ended,
    stop,
    end: async () => {
      await stop()
      await rm(directory, { recursive: true, force: true, maxRetries: 5 })
    }
  }
}

const freePort = async (): Promise<number> => {
  const server = createServer()
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  server.close()
  return typeof address === "object" && address !== null ? address.port : 0
}

const untilAnswered = async (port: number): Promise<void> => {
  for (;;) {
    try {
      return void (await said(port, "postgres", "SELECT"))
    } catch {
      await setTimeout(50)
    }
  }
}

export const urlOf = (port: number, database: string) => `postgresql://postgres@127.0.0.1:${port}/${database}`

/** Sends statements, each in a transaction of its own; answers what the last one answers. */
export const said = async (port: number, database: string, ...statements: ReadonlyArray<string>) => {
  const client = new Client({ connectionString: urlOf(port, database) })
  await client.connect()
  try {
    let rows: ReadonlyArray<unknown> = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

/** The coordinator first. */
export const start = async (): Promise<ReadonlyArray<Node>> => {
  const nodes = await Promise.all([makeNode(), makeNode(), makeNode()])
  await Promise.all(nodes.map((node) => node.start()))
  return nodes
}

/** Makes an empty database of this name on a node that knows no other. */
export const createAlone = async ({ port }: Node, name: string): Promise<void> => {
  await said(port, "postgres", `CREATE DATABASE ${name}`)
  await said(port, name, "CREATE EXTENSION citus")
}

/** Makes an empty database of this name on each node, and lets them know each other in it. */
export const createDatabase = async (nodes: ReadonlyArray<Node>, name: string): Promise<void> => {
  await Promise.all(nodes.map((node) => createAlone(node, name)))
  const [coordinator = 0, ...workers] = nodes.map(({ port }) => port)
  await Promise.all(workers.map((port, place) => setClock(port, name, place === 0 ? "1 year" : "-1 year")))
  await said(
    coordinator,
    name,
    `SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator})`,
    ...workers.map((port) => `SELECT citus_add_node('127.0.0.1', ${port})`)
  )
}

/** Makes the clock of a worker wrong, for whatever asks it for the time in a database: a year is seen wherever somebody goes by it. */
const setClock = async (port: number, database: string, by: string): Promise<void> => {
  await said(port, "postgres", 'ALTER ROLE postgres SET search_path = wrong, pg_catalog, "$user", public')
  const clocks = ["now", "transaction_timestamp", "statement_timestamp", "clock_timestamp"].map(
    (name) => `
    CREATE FUNCTION wrong.${name}() RETURNS timestamptz LANGUAGE sql STABLE
    AS $$ SELECT pg_catalog.${name}() + interval '${by}' $$`
  )
  await said(port, database, "CREATE SCHEMA wrong", ...clocks)
}

/** Lets others be copies of a database: what Citus runs in it would be in their way. */
export const asTemplate = async (nodes: ReadonlyArray<Node>, database: string): Promise<void> => {
  await Promise.all(
    nodes.map(({ port }) =>
      said(
        port,
        "postgres",
        `ALTER DATABASE ${database} ALLOW_CONNECTIONS false`,
        `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${database}'`
      )
    )
  )
}
