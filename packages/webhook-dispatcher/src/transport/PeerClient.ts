/** A client of undici, which is one connection, that tells each exchange who is at the other end. */
import { type buildConnector, Client, type Dispatcher } from "undici"
import { Exchange } from "./Exchange.ts"

export class PeerClient extends Client {
  readonly #peer: { address: string | null }

  constructor(origin: string | URL, options: Client.Options, connect: buildConnector.connector) {
    const peer: { address: string | null } = { address: null }
    super(origin, {
      ...options,
      connect: (target, callback) =>
        connect(target, (...outcome) => {
          peer.address = outcome[1]?.remoteAddress ?? null
          callback(...outcome)
        })
    })
    this.#peer = peer
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (handler instanceof Exchange) handler.peer = this.#peer
    return super.dispatch(options, handler)
  }
}
