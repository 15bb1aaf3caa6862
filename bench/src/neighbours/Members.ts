/** What a person may do who looks after the account on the Integrations page: more keys, and more sessions. */
import * as Schema from "effect/Schema"
import * as Service from "../Service.ts"
import { type Attack, asking, type Cookie, type Setting } from "./Attack.ts"

const MadeLink = Schema.fromJsonString(Schema.Struct({ url: Schema.String }))
const MadeKey = Schema.fromJsonString(Schema.Struct({ key: Schema.String }))

const keysMade = 10
const sessionsMade = 20

/** Signs in by a link that the key or the person makes. */
const signIn = async ({ service }: Setting, accountId: string, maker: string | Cookie): Promise<Cookie> => {
  const { text } = await asking(service)({
    method: "POST",
    path: `/admin/accounts/${accountId}/console-links`,
    key: maker,
    body: "{}"
  })
  const { url } = Schema.decodeUnknownSync(MadeLink)(text)
  const answer = await fetch(`${service.baseUrl}/api/v1/admin/session`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: service.baseUrl },
    body: JSON.stringify({ token: new URL(url).hash.slice(1) })
  })
  return { cookie: (answer.headers.get("set-cookie") ?? "").split(";", 1)[0] ?? "" }
}

/** Makes keys with the highest rate that the service lets a member give them, and creates with all of them. */
export const memberKeys: Attack = {
  callers: 32,
  prepare: async (setting) => {
    const { service } = setting
    const tenant = await Service.makeTenant(service, 1)
    const ask = asking(service)
    const member = await signIn(setting, tenant.accountId, service.adminKey)
    const path = `/admin/accounts/${tenant.accountId}/keys`
    const makeKey = async (): Promise<string> => {
      for (const rate of [100_000, 10_000, 1_000, 100, 20]) {
        const rate_limit = { per_second: rate, burst: 2 * rate }
        const body = JSON.stringify({ name: "More", rate_limit })
        const { status, text } = await ask({ method: "POST", path, key: member, body })
        if (status === 201) return Schema.decodeUnknownSync(MadeKey)(text).key
      }
      throw new Error("A member could make no key")
    }
    const keys = await Promise.all(Array.from({ length: keysMade }, makeKey))
    const body = Service.creation(tenant, null)
    let turn = 0
    return async () => {
      const key = keys[turn++ % keys.length] ?? tenant.key
      return (await ask({ method: "POST", path: "/integrations/executions", key, body })).status
    }
  }
}

/** Makes links and signs in by them, and lists agents in all of these sessions. */
export const mintedSessions: Attack = {
  callers: 32,
  prepare: async (setting) => {
    const { service } = setting
    const { accountId } = await Service.makeTenant(service, 1)
    const ask = asking(service)
    const member = await signIn(setting, accountId, service.adminKey)
    const sessions = await Promise.all(
      Array.from({ length: sessionsMade }, () => signIn(setting, accountId, member))
    )
    let turn = 0
    return async () => {
      const key = sessions[turn++ % sessions.length] ?? member
      return (await ask({ method: "GET", path: `/admin/accounts/${accountId}/agents`, key })).status
    }
  }
}
