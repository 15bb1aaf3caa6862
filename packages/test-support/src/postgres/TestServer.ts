/** The PostgreSQL of this run, for the tests: the one that `RUNHOOK_DATABASE_URL` names, or one that the run starts. */
import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdir } from "node:fs/promises"
import { connect } from "node:net"
import { join } from "node:path"
import { json } from "node:stream/consumers"
import { promisify } from "node:util"
import { Client } from "pg"
import { inject } from "vitest"

export interface Database extends AsyncDisposable {
  readonly name: string
  readonly url: string
}

export interface Options {
  /** Of which database it is a copy. Default: it is empty. */
  readonly template?: string | undefined
  /** Whether connections that are open at the end are cut off, as those of killed processes may be, or are a fault. Default: a fault. */
  readonly sessions?: "cut off"
}

/** Servers of Citus, in a run of the tests on them. */
export interface Citus {
  readonly coordinator: string
  readonly workers: ReadonlyArray<string>
  /** A database without tables, of nodes that know each other. */
  readonly bare: string
  /** One with the whole schema. */
  readonly whole: string
}

declare module "vitest" {
  interface ProvidedContext {
    readonly citus?: Citus
  }
}

export const citus = inject("citus")

/** The name of a server that is not the run's own, and outlives it. */
export const givenUrl = citus?.coordinator ?? process.env["RUNHOOK_DATABASE_URL"]

interface Told {
  readonly url: string
  readonly cluster: string
}

let asked: Promise<Told> | undefined

/** Where the server is. */
export const serverUrl = async (): Promise<string> => givenUrl ?? (await (asked ??= ask())).url

const ask = async (): Promise<Told> => {
  const { cluster, problem, url } = Object(await json(connect(inject("postgres"))))
  if (typeof url !== "string" || typeof cluster !== "string")
    throw new Error(`There is no PostgreSQL for the tests: ${problem}`)
  return { cluster, url }
}

/** Puts into a folder what a first start would make in it, which is sooner, and half as dear by `cp` as by Node; nothing where the server is a given one. */
export const copyCluster = async (directory: string): Promise<void> => {
  if (givenUrl !== undefined) return
  const { cluster } = await (asked ??= ask())
  await mkdir(directory, { recursive: true })
  await promisify(execFile)("cp", ["-Rp", cluster, join(directory, "cluster")])
}

/** A new database for the caller, dropped when it is disposed of. */
export const createDatabase = async ({ sessions, template }: Options = {}): Promise<Database> => {
  const name = `runhook_test_${randomBytes(8).toString("hex")}`
  // By files, which costs a third of what it does by the log, and half when it is dropped.
  const from = template === undefined ? "" : `TEMPLATE ${template}`
  await run(`CREATE DATABASE ${name} ${from} STRATEGY file_copy`)
  const url = new URL(await serverUrl())
  url.pathname = `/${name}`
  return {
    name,
    url: url.href,
    async [Symbol.asyncDispose]() {
      if (sessions === "cut off") {
        await run(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND usename = current_user`
        )
      }
      // Without FORCE, which fails on a vacuum: the server ends that itself, and waits 5 s for sessions that are
      // closing, so whoever left one open fails here.
      await run(`DROP DATABASE ${name}${citus === undefined ? "" : " WITH (FORCE)"}`)
    }
  }
}

/**
 * Makes, when it is first asked, the database that others of this process are copies of, which is sooner than to prepare
 * each. It ends with the server; on one that outlives the run nothing is left behind, so there it is undefined.
 */
export const templateBy = (prepare: (url: string) => Promise<unknown>) => {
  const make = async () => {
    if (givenUrl !== undefined) return undefined
    const { name, url } = await createDatabase()
    await prepare(url)
    return name
  }
  let made: ReturnType<typeof make> | undefined
  return () => (made ??= make())
}

/** Sends a statement, of Citus to all nodes. */
const run = async (statement: string): Promise<void> => {
  await Promise.all([await serverUrl(), ...(citus?.workers ?? [])].map((url) => send(url, statement)))
}

const send = async (url: string, statement: string): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
