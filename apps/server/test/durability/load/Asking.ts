/** For tests that judge no history: what the service answers, as soon as it says yes. */
import { type Body, type Call, callsOf, type Service } from "./Calls.ts"
import { recorderOf } from "./Recorder.ts"
import * as Tenant from "./Tenant.ts"

const callsTo = (service: Service) => callsOf(service, recorderOf())

export const insist = async (service: Service, call: Call): Promise<Body> => {
  const { body, status } = await callsTo(service).insist(call)
  if (status < 300) return body
  throw new Error(`${call.path} was answered ${status}: ${JSON.stringify(body)}`)
}

export const makeTenant = (service: Service, adminKey: string): Promise<Tenant.Tenant> =>
  Tenant.makeTenant(callsTo(service), adminKey)
