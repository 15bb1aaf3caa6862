/** The repeated measurements of a soak, kept in a file line by line. */
import { appendFile, writeFile } from "node:fs/promises"
import type { Cpu } from "../Cpu.ts"
import type { Database, Server } from "../Postgres.ts"
import type { Service } from "../Service.ts"
import type { Ledger } from "./Ledger.ts"
import { descriptorsOf, memoryOf, serverBytes } from "./Processes.ts"
import { backlogOf, tablesOf } from "./Tables.ts"

/** The quantities, as they are called in the file, the table and the curves. */
export const quantities = [
  "service_rss_mib",
  "service_heap_mib",
  "service_descriptors",
  "service_cpu_ms_per_s",
  "postgres_mib",
  "postgres_cpu_ms_per_s",
  "tables_mib",
  "dead_rows",
  "executions_queued",
  "executions_leased",
  "callbacks_waiting",
  "lag_p50_ms",
  "lag_p99_ms"
] as const
export type Quantity = (typeof quantities)[number]

const counted = ["created", "refused", "callbacks", "rejected", "doubled", "outOfOrder", "missing"] as const

export type Sample = { readonly [Name in Quantity | (typeof counted)[number]]: number } & {
  /** Seconds since the beginning. */
  readonly at: number
}

const mebibyte = 1_048_576

export interface Subjects {
  readonly database: Database
  readonly ledger: Ledger
  readonly memoryReport: string
  readonly server: Pick<Server, "postmaster">
  readonly service: Pick<Service, "pid">
}

/** When a sample is taken, and what a second has cost since the one before. */
export interface Moment {
  readonly at: number
  readonly cpu: Cpu
}

/** Measures everything once. The lags are those since the sample before. */
export const take = async (subjects: Subjects, { at, cpu }: Moment): Promise<Sample> => {
  const { database, ledger, memoryReport, server, service } = subjects
  const lags = ledger.takeLags().toSorted((a, b) => a - b)
  const counts = ledger.counts()
  const memory = await memoryOf(memoryReport)
  const tables = await tablesOf(database)
  const backlog = await backlogOf(database)
  const sum = (of: (table: (typeof tables)[number]) => number) =>
    tables.reduce((total, table) => total + of(table), 0)
  return {
    at,
    service_rss_mib: memory.rss / mebibyte,
    service_heap_mib: memory.heap / mebibyte,
    service_descriptors: await descriptorsOf(service.pid),
    service_cpu_ms_per_s: cpu.node / 1_000,
    postgres_mib: (await serverBytes(server.postmaster)) / mebibyte,
    postgres_cpu_ms_per_s: cpu.postgres / 1_000,
    tables_mib: sum(({ bytes }) => bytes) / mebibyte,
    dead_rows: sum(({ dead }) => dead),
    executions_queued: backlog.queued,
    executions_leased: backlog.leased,
    callbacks_waiting: backlog.callbacks,
    lag_p50_ms: lags[Math.floor(lags.length * 0.5)] ?? Number.NaN,
    lag_p99_ms: lags[Math.floor(lags.length * 0.99)] ?? Number.NaN,
    created: counts.created,
    refused: counts.refused,
    callbacks: counts.callbacks,
    rejected: counts.rejected,
    doubled: counts.doubled,
    outOfOrder: counts.outOfOrder,
    missing: counts.missing
  }
}

const columns = ["at", ...quantities, ...counted] as const

const cell = (value: number): string => (Number.isFinite(value) ? String(Number(value.toFixed(3))) : "")

/** Starts a new file; returns a function that adds a line. An interrupted run leaves its lines. */
export const openFile = async (path: string): Promise<(sample: Sample) => Promise<void>> => {
  await writeFile(path, `${columns.join(",")}\n`)
  return (sample) => appendFile(path, `${columns.map((column) => cell(sample[column])).join(",")}\n`)
}
