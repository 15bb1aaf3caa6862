/** The PostgreSQL of this run, for the tests: the one that `RUNHOOK_DATABASE_URL` names, or one that the run starts. */
import { randomBytes } from "node:crypto"
import { connect } from "node:net"
import { json } from "node:stream/consumers"
import { Client } from "pg"
import { inject } from "vitest"

export interface Database extends AsyncDisposable {
  readonly name: string
  readonly url: string
}

export interface Options {
  /** Of which database it is a copy. Default: it is empty. */
  readonly template?: string | undefined
  /** Whether whoever is connected at the end is cut off, as what was killed may be for a while, or is a fault. Default: a fault. */
  readonly sessions?: "cut off"
}

/** The name of a server that is not the run's own, and outlives it. */
export const givenUrl = process.env["RUNHOOK_DATABASE_URL"]

let asked: Promise<string> | undefined

/** Where the server is. */
export const serverUrl = (): Promise<string> =>
  (asked ??= givenUrl === undefined ? ask() : Promise.resolve(givenUrl))

const ask = async (): Promise<string> => {
  const { problem, url } = Object(await json(connect(inject("postgres"))))
  if (typeof url !== "string") throw new Error(`There is no PostgreSQL for the tests: ${problem}`)
  return url
}

/** A database of whoever asks, dropped when it is disposed of. */
export const createDatabase = async ({ sessions, template }: Options = {}): Promise<Database> => {
  const name = `runhook_test_${randomBytes(8).toString("hex")}`
  await run(`CREATE DATABASE ${name}${template === undefined ? "" : ` TEMPLATE ${template}`}`)
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
      await run(`DROP DATABASE ${name}`)
    }
  }
}

const run = async (statement: string): Promise<void> => {
  const client = new Client({ connectionString: await serverUrl() })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
