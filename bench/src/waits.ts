/** What a thousand callers who wait cost one process, and how soon they hear of a change that another process makes. */
import { Agent, get } from "node:http"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import * as Schema from "effect/Schema"
import type { Bench } from "./Bench.ts"
import { inParallel } from "./InParallel.ts"
import { median, printTable, progress, quantile } from "./Report.ts"
import { pastRows, seedPast } from "./Seeding.ts"
import * as Service from "./Service.ts"
import { memoryOf } from "./soak/Processes.ts"
import * as Statements from "./Statements.ts"

/** As many endpoints as an account may have. */
const perAccount = 20

/** Seconds of a wait, after which its caller begins another. */
const waitSeconds = 30

/** Somebody who waits, and how to end that. */
interface Waiting {
  readonly path: string
  readonly key: string
  /** Path and body of a request that ends the wait. */
  readonly change: readonly [path: string, body: object]
}

const Made = Schema.Struct({ id: Schema.String })
const Queued = Schema.Struct({ execution_id: Schema.String })

export const waits: Bench = async ({ folder, ours, profile, quick, resources }) => {
  const accounts = quick ? 1 : 50
  // The first ends before any wait does, the second when all have begun anew.
  const [parkedSeconds, turnSeconds] = quick ? [0.2, 0.2] : [20, 15]
  const changes = quick ? 2 : 100
  const { database, server, service: other } = await ours()
  const tenants = await Service.makeTenants(other, accounts, 1)
  // What is kept is not the question here.
  await seedPast(database, tenants, pastRows({ quick: true }))
  const statements = await Statements.start(database.url, resources)
  const memoryReport = join(folder, "memory.json")
  const service = await Service.start(
    { databaseUrl: statements.url, folder, memoryReport, profile },
    resources
  )

  const post = (key: string, [path, body]: readonly [path: string, body: object]) =>
    Service.post({ url: `${other.baseUrl}/api/v1/integrations${path}`, key, body })

  const execution = async ({ agentId, key, taskId }: Service.Tenant, rest: string): Promise<Waiting> => {
    const made = await post(key, ["/executions", { agent_id: agentId, task_id: taskId }])
    const path = `/executions/${Schema.decodeUnknownSync(Queued)(made).execution_id}`
    return { key, path: path + rest, change: [`${path}/cancel`, {}] }
  }
  const endpoint = async ({ key }: Service.Tenant): Promise<Waiting> => {
    const { id } = Schema.decodeUnknownSync(Made)(
      await post(key, ["/webhooks/endpoints", { kind: "poll", event_types: ["execution.failed"] }])
    )
    const path = `/webhooks/endpoints/${id}`
    return { key, path: `${path}/messages?wait=${waitSeconds}`, change: [`${path}/test`, {}] }
  }
  const kinds: Readonly<Record<string, (tenant: Service.Tenant) => Promise<Waiting>>> = {
    "nobody (idle)": () => Promise.reject(new Error("Nobody waits")),
    "for an execution": (tenant) => execution(tenant, `?wait=${waitSeconds}`),
    "stream of events": (tenant) => execution(tenant, "/events"),
    "for messages": endpoint
  }

  const measure = async (make: (tenant: Service.Tenant) => Promise<Waiting>, isIdle: boolean) => {
    const waiting = new Array<Waiting>()
    const all = tenants.flatMap((tenant) => Array.from({ length: perAccount }, () => tenant))
    if (!isIdle) await inParallel(8, all, async (tenant) => waiting.push(await make(tenant)))
    const before = await memoryOf(memoryReport)
    await using callers = callersOf(service.baseUrl)
    for (const each of waiting) callers.wait(each)
    await pause(quick ? 100 : 5_000)
    const askedIn = async (seconds: number) => {
      const counted = statements.count()
      await pause(seconds * 1_000)
      return statements.count() - counted
    }
    const asked = (await askedIn(parkedSeconds)) / parkedSeconds
    const askedAnew = (await askedIn(turnSeconds)) - asked * turnSeconds
    const parked = await memoryOf(memoryReport)
    const heard = new Array<number>()
    for (const each of waiting.slice(0, changes)) {
      const news = callers.news(each.path)
      await post(each.key, each.change)
      const changed = performance.now()
      heard.push((await news) - changed)
    }
    return {
      waiting: waiting.length,
      asked,
      askedAnew,
      heap: parked.heap - before.heap,
      rss: parked.rss - before.rss,
      heard
    }
  }

  const rows = []
  for (const [kind, make] of Object.entries(kinds)) {
    progress(`waits: ${kind}`)
    const { asked, askedAnew, heap, heard, rss, waiting } = await measure(make, rows.length === 0)
    rows.push({
      "who waits": kind,
      waiting,
      "statements/s": asked,
      "statements of each begun anew": waiting === 0 ? Number.NaN : askedAnew / waiting,
      "heap MiB more": heap / 2 ** 20,
      "resident MiB more": rss / 2 ** 20,
      "heard of a change, p50 ms": median(heard),
      "p99 ms": quantile(heard, 0.99)
    })
  }
  printTable(`waits, of ${waitSeconds} s each and begun anew, on ${server.name}`, rows)
}

/** Callers at a process. Each begins another wait when one has ended with nothing, until it has heard something. */
const callersOf = (baseUrl: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  const listeners = new Map<string, (at: number) => void>()
  let isOver = false
  const wait = ({ key, path }: Pick<Waiting, "key" | "path">): void => {
    const url = `${baseUrl}/api/v1/integrations${path}`
    const accept = path.endsWith("/events") ? "text/event-stream" : "application/json"
    const fail = (error: Error) => {
      if (!isOver) throw error
    }
    const request = get(url, { agent, headers: { accept, authorization: `Bearer ${key}` } }, (answer) => {
      if (answer.statusCode !== 200) throw new Error(`${url} was answered ${answer.statusCode}`)
      let text = ""
      let hasHeard = false
      answer.setEncoding("utf8").on("data", (part: string) => {
        text += part
        if (hasHeard || !/"message_id"|"status":"aborted"/.test(text)) return
        hasHeard = true
        listeners.get(path)?.(performance.now())
      })
      answer.on("error", fail).once("end", () => {
        if (!isOver && !hasHeard) wait({ key, path })
      })
    })
    request.on("error", fail)
  }
  return {
    wait,
    /** When this one hears of what is still to come. */
    news: (path: string) => new Promise<number>((resolve) => listeners.set(path, resolve)),
    [Symbol.asyncDispose]: async () => {
      isOver = true
      agent.destroy()
    }
  }
}
