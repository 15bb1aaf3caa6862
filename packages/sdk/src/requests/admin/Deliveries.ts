/** The webhook deliveries of an account. */
import type {
  AdminDeliveryFilter,
  AdminReplayDeliveries,
  DeadLetterList,
  DeliveryTried,
  SignedCommand
} from "../../wire/Admin.ts"
import type { AdminClient, ClientTypes } from "../Client.ts"
import { deliveryCalls, type DeliveryTypes } from "../Deliveries.ts"
import { get, idempotentPost, pathOf } from "../Describe.ts"

/** Operators also choose by key. */
interface OfAllKeys extends DeliveryTypes {
  readonly filter: AdminDeliveryFilter
  readonly replay: AdminReplayDeliveries
}

const operatorsCalls = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * Dead letters by receiver and cause: one fix usually clears a whole group.
   *
   * @example
   * ```ts
   * const { data } = await account.deliveries.deadLetters()
   * ```
   */
  deadLetters: (options?: T["options"]) => client.call<DeadLetterList>(get("/dead-letters", options)),

  /**
   * Sends a waiting delivery at once: makes its next attempt now, despite its back-off and whatever its receiver is
   * held for.
   *
   * @example
   * ```ts
   * const { attempts } = await account.deliveries.tryNow(id)
   * ```
   */
  tryNow: (id: string, options?: T["options"]) =>
    client.call<DeliveryTried>(idempotentPost(pathOf`/deliveries/${id}/try`, undefined, options)),

  /**
   * The delivery as a command for a shell with curl, signed now. It sends nothing by itself.
   *
   * @example
   * ```ts
   * const { command } = await account.deliveries.curl(id)
   * ```
   */
  curl: (id: string, options?: T["options"]) =>
    client.call<SignedCommand>(idempotentPost(pathOf`/deliveries/${id}/curl`, undefined, options))
})

export const adminDeliveries = <T extends ClientTypes>(
  client: AdminClient<T>
): ReturnType<typeof deliveryCalls<T, OfAllKeys>> & ReturnType<typeof operatorsCalls<T>> => ({
  ...deliveryCalls<T, OfAllKeys>(client, { root: "/deliveries", replaysRoot: "/deliveries/replays" }),
  ...operatorsCalls(client)
})
