/** Questions of a runner whose schema compares every two of very many items, with a default to check against it. */
import { randomUUID } from "node:crypto"
import * as Schema from "effect/Schema"
import * as Service from "../Service.ts"
import { type Attack, asking, names, type Setting } from "./Attack.ts"

/** Times that each item is compared. */
const repeats = 160
/** Names of the default, which together stay under the largest body. */
const namesMax = 60_000

const Opened = Schema.fromJsonString(Schema.Struct({ session_id: Schema.String }))
const Claimed = Schema.fromJsonString(
  Schema.Struct({ claims: Schema.Array(Schema.Struct({ execution_id: Schema.String, epoch: Schema.Int })) })
)

const costlyQuestion = (epoch: number, size: number): string =>
  JSON.stringify({
    epoch,
    input_key: "colour",
    prompt: "Which colour?",
    schema: {
      allOf: Array.from({ length: repeats }, () => ({ items: { type: "object" }, uniqueItems: true }))
    },
    expires_in_s: 3_600,
    on_timeout: "default",
    default: [Object.fromEntries(names(size).map((name) => [name, 0]))],
    mode: "hold"
  })

const attack = (holdLease: (setting: Setting, tenant: Service.Tenant) => Promise<Held>): Attack => ({
  callers: 4,
  prepare: async (setting) => {
    const tenant = await Service.makeTenant(setting.service, 1)
    const ask = asking(setting.service)
    const { epoch, id } = await holdLease(setting, tenant)
    const body = costlyQuestion(epoch, setting.quick ? 100 : namesMax)
    return async () => {
      const { status } = await ask({
        method: "POST",
        path: `/runner/executions/${id}/inputs`,
        key: tenant.runnerKey,
        body
      })
      return status
    }
  }
})

interface Held {
  readonly id: string
  readonly epoch: number
}

/** A runner that works on one execution. */
const startedWork = async ({ service }: Setting, tenant: Service.Tenant): Promise<Held> => {
  const ask = asking(service)
  const post = async (path: string, key: string, body: string) => {
    const { status, text } = await ask({ method: "POST", path, key, body })
    if (status >= 300) throw new Error(`${path} answered ${status}: ${text}`)
    return text
  }
  await post("/integrations/executions", tenant.key, Service.creation(tenant, null))
  const opening = { instance_id: randomUUID(), runner_name: "Bench", capacity: 1 }
  const { session_id } = Schema.decodeUnknownSync(Opened)(
    await post("/runner/sessions", tenant.runnerKey, JSON.stringify(opening))
  )
  const claiming = { session_id, claim_id: randomUUID(), free_slots: 1, wait_ms: 5_000, in_flight: [] }
  const { claims } = Schema.decodeUnknownSync(Claimed)(
    await post("/runner/claims", tenant.runnerKey, JSON.stringify(claiming))
  )
  const [claim] = claims
  if (claim === undefined) throw new Error("There was no work to claim")
  const { epoch, execution_id: id } = claim
  await post(`/runner/executions/${id}/start`, tenant.runnerKey, JSON.stringify({ epoch }))
  return { id, epoch }
}

/** Any runner key can ask this, about work that is nobody's. */
export const questionsWithoutLease = attack(() => Promise.resolve({ id: randomUUID(), epoch: 1 }))

export const questions = attack(startedWork)
