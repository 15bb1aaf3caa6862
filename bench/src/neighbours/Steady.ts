/** Creates executions at an even rate, whatever the service does, and says how long each took. */
import { setTimeout as pause } from "node:timers/promises"
import { Pool } from "undici"
import { creation, type Service, type Tenant } from "../Service.ts"

export interface Steady {
  /** Milliseconds from the moment a create was due, so that one that had to wait for others counts what it waited. */
  readonly p50: number
  readonly p99: number
  readonly longest: number
}

export interface Options {
  readonly service: Pick<Service, "baseUrl">
  readonly tenant: Tenant
  readonly perSecond: number
  readonly seconds: number
}

export const createSteadily = async ({ perSecond, seconds, service, tenant }: Options): Promise<Steady> => {
  const pool = new Pool(service.baseUrl, { connections: 64 })
  const body = creation(tenant, null)
  const begun = performance.now()
  const create = async (due: number): Promise<number> => {
    const answer = await pool.request({
      method: "POST",
      path: "/api/v1/integrations/executions",
      headers: { authorization: `Bearer ${tenant.key}`, "content-type": "application/json" },
      body
    })
    const text = await answer.body.text()
    if (answer.statusCode !== 201) throw new Error(`A create was answered ${answer.statusCode}: ${text}`)
    return performance.now() - due
  }
  const creates = new Array<Promise<number>>()
  for (let number = 0; number < perSecond * seconds; number++) {
    const due = begun + (number * 1_000) / perSecond
    const wait = due - performance.now()
    if (wait > 0) await pause(wait)
    creates.push(create(Math.max(due, performance.now())))
  }
  const millis = (await Promise.all(creates)).toSorted((a, b) => a - b)
  await pool.close()
  return {
    p50: millis[Math.floor(millis.length * 0.5)] ?? Number.NaN,
    p99: millis[Math.floor(millis.length * 0.99)] ?? Number.NaN,
    longest: millis.at(-1) ?? Number.NaN
  }
}
