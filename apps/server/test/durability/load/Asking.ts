/** For tests that judge no history: what the service answers, as soon as it says yes. */
import { makeTenant as make, type Tenant } from "@runhook/test-support/world/Tenant"
import { type Body, type Call, type Calls, callsOf, type Service } from "./Calls.ts"
import { recorderOf } from "./Recorder.ts"

/** A runner whose answer was lost may start again: its work goes on in a second attempt. */
const retry = { max_attempts: 20, initial_seconds: 1 }
const rate_limit = { per_second: 100_000, burst: 1_000_000 }

const insistBy = async (calls: Calls, call: Call): Promise<Body> => {
  const { body, status } = await calls.insist(call)
  if (status < 300) return body
  throw new Error(`${call.path} was answered ${status}: ${JSON.stringify(body)}`)
}

export const insist = (service: Service, call: Call): Promise<Body> =>
  insistBy(callsOf(service, recorderOf()), call)

export const makeTenantBy = (calls: Calls, adminKey: string): Promise<Tenant> =>
  make((path, body) => insistBy(calls, { key: adminKey, path: `/admin/accounts${path}`, body }), {
    agent: { capacity: 1_000 },
    task: { slug: "work", name: "Work", retry },
    key: { rate_limit }
  })

export const makeTenant = (service: Service, adminKey: string): Promise<Tenant> =>
  makeTenantBy(callsOf(service, recorderOf()), adminKey)
