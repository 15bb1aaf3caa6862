/** What a create costs the service while very many runners wait for work; beside one that waits. */
import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import * as Schema from "effect/Schema"
import { Pool } from "undici"
import type { Bench } from "./Bench.ts"
import { type Cpu, counting, nobody } from "./Cpu.ts"
import * as Postgres from "./Postgres.ts"
import { medianOf, printTable, progress, ratio } from "./Report.ts"
import * as Service from "./Service.ts"

/** As many as one runner key may have. */
const sessionsPerTenantKey = 100

const Opened = Schema.fromJsonString(Schema.Struct({ session_id: Schema.String }))
const Claimed = Schema.fromJsonString(
  Schema.Struct({ claims: Schema.Array(Schema.Struct({ execution_id: Schema.String, epoch: Schema.Int })) })
)
const MadeKey = Schema.Struct({ key: Schema.String })

interface Measured {
  /** What an execution cost from its creation to its completion, beyond what the time it took costs anyway. */
  readonly cpu: Cpu
  /** What each second costs in which nothing happens. */
  readonly idle: Cpu
}

export const parked: Bench = async ({ folder, profile, quick, resources }) => {
  const sides = { "one poll": 1, "many polls": quick ? 20 : 300 }
  const executions = quick ? 10 : 200
  const rounds = quick ? 1 : 3
  const idleSeconds = quick ? 0.2 : 10
  const server = await Postgres.start(resources)
  const database = await server.database("service")
  const service = await Service.start({ databaseUrl: database.url, folder, profile }, resources)

  const count = () => counting({ node: service, postgres: server, callers: nobody })

  const measure = async (polls: number): Promise<Measured> => {
    const tenant = await Service.makeTenant(service, 1_000)
    const crowd = await makeCrowd(service, tenant, polls)
    try {
      const countedIdle = await count()
      await pause(idleSeconds * 1000)
      const idle = await countedIdle(idleSeconds)
      const begun = performance.now()
      const counted = await count()
      for (let made = 0; made < executions; made++) await crowd.execute()
      const seconds = (performance.now() - begun) / 1000
      return { cpu: without(await counted(executions), idle, seconds / executions), idle }
    } finally {
      await crowd.end()
    }
  }

  const measured = new Map(Object.keys(sides).map((side) => [side, new Array<Measured>()]))
  for (let round = 1; round <= rounds; round++) {
    for (const [side, polls] of Object.entries(sides)) {
      progress(`parked: ${side}, round ${round} of ${rounds}`)
      measured.get(side)?.push(await measure(polls))
    }
  }

  const of = (side: string) => measured.get(side) ?? []
  const nodeMillis = (side: string) => medianOf(of(side), ({ cpu }) => cpu.node) / 1000
  printTable(
    `parked, an execution beside polls that wait, on ${server.name}`,
    Object.entries(sides).map(([side, polls]) => ({
      side,
      polls,
      "Node CPU ms": nodeMillis(side),
      "to one": ratio(nodeMillis(side), nodeMillis("one poll")),
      "PostgreSQL CPU ms": medianOf(of(side), ({ cpu }) => cpu.postgres) / 1000,
      "idle Node CPU ms a second": medianOf(of(side), ({ idle }) => idle.node) / 1000,
      "idle PostgreSQL CPU ms a second": medianOf(of(side), ({ idle }) => idle.postgres) / 1000
    }))
  )
}

/** What is left of it when so many seconds of what goes on anyway are taken away. */
const without = (cpu: Cpu, idle: Cpu, seconds: number): Cpu => ({
  node: cpu.node - seconds * idle.node,
  postgres: cpu.postgres - seconds * idle.postgres,
  callers: cpu.callers - seconds * idle.callers
})

/** So many runners of one slot, which wait for work, and do nothing but start and complete it. */
const makeCrowd = async (service: Service.Service, tenant: Service.Tenant, polls: number) => {
  const pool = new Pool(service.baseUrl, { connections: polls + 1, bodyTimeout: 0, headersTimeout: 0 })
  const ending = new AbortController()
  const body = Service.creation(tenant, null)
  let arrived = () => {}

  const send = async (path: string, key: string, text: string): Promise<string> => {
    const answer = await pool.request({
      method: "POST",
      path: `/api/v1${path}`,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: text,
      signal: ending.signal
    })
    const said = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}: ${said}`)
    return said
  }

  const makeKey = async (name: string) =>
    Schema.decodeUnknownSync(MadeKey)(
      await Service.post({
        url: `${service.baseUrl}/api/v1/admin/accounts/${tenant.accountId}/runner-keys`,
        key: service.adminKey,
        body: { name }
      })
    ).key

  const serve = async (key: string, session_id: string) => {
    while (!ending.signal.aborted) {
      const claim = { session_id, claim_id: randomUUID(), free_slots: 1, wait_ms: 25_000 }
      const { claims } = Schema.decodeUnknownSync(Claimed)(
        await send("/runner/claims", key, JSON.stringify(claim))
      )
      for (const { epoch, execution_id } of claims) {
        const path = `/runner/executions/${execution_id}`
        await send(`${path}/start`, key, JSON.stringify({ epoch }))
        await send(
          `${path}/complete`,
          key,
          JSON.stringify({ epoch, outcome: "completed", result: { pages: 2 } })
        )
        arrived()
      }
    }
  }

  const serving = new Array<Promise<void>>()
  let key = tenant.runnerKey
  for (let place = 0; place < polls; place++) {
    if (place > 0 && place % sessionsPerTenantKey === 0) key = await makeKey(`Cellar ${place}`)
    const introduction = { instance_id: randomUUID(), runner_name: "Bench", capacity: 1 }
    const opened = await send("/runner/sessions", key, JSON.stringify(introduction))
    serving.push(serve(key, Schema.decodeUnknownSync(Opened)(opened).session_id))
  }
  // A runner that fails is noticed by the execution that it does not complete; one that ends, by nobody.
  const ended = Promise.all(serving)
  ended.catch(() => {})
  await pause(1_000)

  return {
    /** Queues an execution and waits until one of the runners has completed it. */
    execute: async () => {
      const completed = new Promise<void>((resolve) => (arrived = resolve))
      await send("/integrations/executions", tenant.key, body)
      await Promise.race([completed, ended])
    },
    end: async () => {
      ending.abort()
      await Promise.allSettled(serving)
      await pool.destroy()
    }
  }
}
