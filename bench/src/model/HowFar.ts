/**
 * How far the service goes, as a model: the cost of one execution, times how many there are a second. It takes costs
 * to stay the same whatever the number of cores, which nobody has measured beyond two.
 */
import { number, type Row } from "../Report.ts"
import { buckets, type Costs, type Machines } from "./Costs.ts"

const us = 1e-6

/** Cores that work takes, all the time. */
const coresFor = (perSecond: number, cost: number): number => perSecond * cost * us

/** So many a second that a number of cores does. */
const perSecondOf = (cores: number, cost: number): number => cores / (cost * us)

/** Cores of a server that are in use at the peak. */
const usable = ({ cores, share }: Machines): number => cores * share

/** A process has one core, of which a quarter stays free. */
const coresOfProcess = 0.75

const processesFor = (perSecond: number, { node }: Costs): number =>
  Math.max(1, Math.ceil(coresFor(perSecond, node) / coresOfProcess))

const secondsOfDay = 86_400
const kibOfTb = 2 ** 30

const tbAfter = (perSecond: number, { tableKib }: Costs, { days }: Machines): number =>
  (perSecond * secondsOfDay * days * tableKib) / kibOfTb

interface Limit {
  /** What ends. */
  readonly what: string
  /** At how many executions a second. */
  readonly perSecond: number
  /** What one does about it. */
  readonly next: string
}

/** Whatever ends, in the order in which it does. */
export const limits = (costs: Costs, machines: Machines): ReadonlyArray<Limit> => {
  const cores = usable(machines)
  const { connections, connectionsMax, diskTb, noticedMax } = machines
  const ofProcess = perSecondOf(coresOfProcess, costs.node)
  const all: ReadonlyArray<Limit> = [
    { what: "one process", perSecond: ofProcess, next: "workers, then machines" },
    {
      what: "the disk of one PostgreSQL",
      perSecond: diskTb / tbAfter(1, costs, machines),
      next: "keep less: `RUNHOOK_RETENTION_DAYS`, `RUNHOOK_DELIVERED_DAYS`"
    },
    { what: "the cores of one PostgreSQL", perSecond: perSecondOf(cores, costs.postgres), next: "Citus" },
    {
      what: "an account, which lies on one node of Citus",
      perSecond: perSecondOf(cores, costs.worker),
      next: "a node of its own; then a larger one; then two accounts"
    },
    {
      what: "notices between processes",
      perSecond: noticedMax * ofProcess,
      next: "several services, each with its accounts"
    },
    {
      what: "connections to the coordinator",
      perSecond: (connectionsMax / connections) * ofProcess,
      next: "several services, each with its accounts"
    },
    {
      what: "the coordinator of Citus",
      perSecond: perSecondOf(cores, costs.coordinator),
      next: "a larger one; then several services, each with its accounts"
    },
    {
      what: "buckets: as many nodes as there are",
      perSecond: buckets * perSecondOf(cores, costs.worker),
      next: "several services, each with its accounts"
    }
  ]
  return all.toSorted((one, other) => one.perSecond - other.perSecond)
}

/** The machines that a number of executions a second takes. */
export const sizeOf = (perSecond: number, costs: Costs, machines: Machines) => {
  const cores = usable(machines)
  const onPostgres = coresFor(perSecond, costs.postgres)
  const isOnCitus = onPostgres > cores
  const workers = coresFor(perSecond, costs.worker)
  const processes = processesFor(perSecond, costs)
  return {
    nodeCores: coresFor(perSecond, costs.node),
    processes,
    connections: processes * machines.connections,
    postgresCores: isOnCitus ? workers : onPostgres,
    nodes: isOnCitus ? Math.ceil(workers / cores) : 1,
    coordinatorCores: isOnCitus ? coresFor(perSecond, costs.coordinator) : 0,
    walMibPerSecond: (perSecond * costs.walKib) / 1_024,
    tb: tbAfter(perSecond, costs, machines)
  }
}

export const limitRows = (costs: Costs, machines: Machines): ReadonlyArray<Row> =>
  limits(costs, machines).map(({ next, perSecond, what }) => ({
    "What ends": what,
    "Executions a second": number(Number(perSecond.toPrecision(2))),
    Then: next
  }))

const two = (value: number): string => number(Number(value.toPrecision(2)))

export const sizeRows = (costs: Costs, machines: Machines): ReadonlyArray<Row> =>
  [100, 1_000, 10_000, 100_000].map((perSecond) => {
    const size = sizeOf(perSecond, costs, machines)
    return {
      "Executions a second": number(perSecond),
      "Cores for Node; processes": `${two(size.nodeCores)}; ${size.processes}`,
      "Cores for PostgreSQL; servers": `${two(size.postgresCores)}; ${size.nodes}`,
      "Coordinator's cores": size.coordinatorCores === 0 ? "none" : two(size.coordinatorCores),
      Connections: number(size.connections),
      "Log, MiB a second": two(size.walMibPerSecond),
      "Tables, TB": two(size.tb)
    }
  })
