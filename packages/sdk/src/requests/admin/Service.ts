/** The calls of the admin API outside of accounts, by noun. */
import type { AdminClient, ClientTypes } from "../Client.ts"
import { accounts, alerts, alertTargets, secretKeys, session } from "../Service.generated.ts"

/** By noun. */
export interface ServiceCalls<T extends ClientTypes> {
  /** The owners of everything else. */
  readonly accounts: ReturnType<typeof accounts<T>>
  /** What is wrong in any account, and which of the operator's targets are told. */
  readonly alerts: ReturnType<typeof alerts<T>> & {
    /** Who is told of alerts. */
    readonly targets: ReturnType<typeof alertTargets<T>>
  }
  /** The secret keys that seal the signing secrets. */
  readonly secretKeys: ReturnType<typeof secretKeys<T>>
  /** The session of the Integrations page in the calling browser. */
  readonly session: ReturnType<typeof session<T>>
}

export const service = <T extends ClientTypes>(client: AdminClient<T>): ServiceCalls<T> => ({
  accounts: accounts(client),
  alerts: { ...alerts(client), targets: alertTargets(client) },
  secretKeys: secretKeys(client),
  session: session(client)
})
