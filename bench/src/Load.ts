/** Sends requests to a program as fast as it answers, and reports the results. */
import { availableParallelism, cpus } from "node:os"
import autocannon from "autocannon"
import { type Counted, type Cpu, counting, thisProcess } from "./Cpu.ts"

export interface Target {
  /** What answers. */
  readonly program: Counted
  /** The server behind it. */
  readonly server: Counted
  readonly url: string
  readonly method: "GET" | "POST"
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Measured {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** What one request cost. */
  readonly cpu: Cpu
  /** Cores that were busy on the whole machine, on average. */
  readonly busyCores: number
}

/** Rounds that may be too short for a single answer. */
const emptyMax = 10

/** One request at a time on each connection, for that long. Any answer but a 2xx is an error. */
export const load = async (
  target: Target,
  size: { readonly connections: number; readonly seconds: number },
  empty = 0
): Promise<Measured> => {
  const { body, headers, method, program, server, url } = target
  const { connections, seconds } = size
  const counted = await counting({ node: program, postgres: server, callers: thisProcess })
  const busyBefore = busyMillis()
  const begun = performance.now()
  const result = await autocannon({
    url,
    method,
    headers: { ...headers },
    connections,
    duration: seconds,
    // It ends at one of its samples.
    sampleInt: Math.min(1, seconds) * 1_000,
    ...(body === undefined ? {} : { body })
  })
  const elapsed = performance.now() - begun
  const cpu = await counted(result["2xx"])
  if (result.non2xx > 0 || result.errors > 0) {
    const statuses = JSON.stringify(result.statusCodeStats)
    throw new Error(`${method} ${url}: ${result.errors} errors, statuses ${statuses}`)
  }
  if (result["2xx"] === 0 && empty < emptyMax) return load(target, size, empty + 1)
  return {
    perSecond: result["2xx"] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpu,
    busyCores: (busyMillis() - busyBefore) / elapsed
  }
}

const busyMillis = (): number =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)

/** What the figures were made on. */
export const machine = (): string =>
  `${availableParallelism()} cores of ${cpus()[0]?.model.trim() ?? "an unknown processor"}, Node ${process.version}`
