/** What an execution with three callbacks costs, and what machines give: the figures that the model computes with. */

/** CPU us of one execution; KiB that it leaves. */
export interface Costs {
  /** The service's processes, together. */
  readonly node: number
  /** One PostgreSQL without Citus. */
  readonly postgres: number
  /** The node of Citus that the processes connect to, and the node that has the rows. */
  readonly coordinator: number
  readonly worker: number
  /** Written to the log of PostgreSQL. */
  readonly walKib: number
  /** What its rows and indexes take on disk. */
  readonly tableKib: number
}

/**
 * When many come at once: `lifecycle` of the bench, by claims with callbacks; on Citus the same of `citus`, by its ratio to
 * PostgreSQL in the same run, since its machine did other work. Disk: `lifecycle` and `docs/operating/scale.md`.
 */
export const costs: Costs = {
  node: 1_700,
  postgres: 1_100,
  coordinator: 860,
  worker: 2_400,
  walKib: 8.2,
  tableKib: 6
}

export interface Machines {
  /** Of one server of PostgreSQL. */
  readonly cores: number
  /** How much of its cores is in use at the peak, so that answers stay quick. */
  readonly share: number
  /** Connections of one process, and how many a server takes. */
  readonly connections: number
  readonly connectionsMax: number
  /** Processes that may tell each other by notices: their cost grows with the square of their number. */
  readonly noticedMax: number
  /** Days for which everything is kept, and the disk of one server in TB. */
  readonly days: number
  readonly diskTb: number
}

export const machines: Machines = {
  cores: 32,
  share: 0.5,
  connections: 14,
  connectionsMax: 2_000,
  noticedMax: 16,
  days: 30,
  diskTb: 20
}

/** Buckets of accounts: more nodes than that have nothing to hold. */
export const buckets = 256
