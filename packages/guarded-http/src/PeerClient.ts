/** An undici client with one connection at a time, which tells each exchange its connection. */
import type * as Clock from "effect/Clock"
import { type buildConnector, Client, type Dispatcher } from "undici"
import { Connection } from "./Connection.ts"
import { Exchange } from "./Exchange.ts"

export interface PeerClientOptions {
  readonly client: Client.Options
  /** Makes a connection, and records what it learns on the way. */
  readonly connectorFor: (connection: Connection) => buildConnector.connector
  readonly clock: Clock.Clock
}

export class PeerClient extends Client {
  readonly #current: { connection: Connection }

  constructor(origin: string | URL, { client, clock, connectorFor }: PeerClientOptions) {
    const current = { connection: new Connection(clock) }
    super(origin, {
      ...client,
      connect: (target, callback) => {
        const connection = new Connection(clock)
        current.connection = connection
        connectorFor(connection)(target, callback)
      }
    })
    this.#current = current
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (handler instanceof Exchange) handler.goesOver(() => this.#current.connection)
    return super.dispatch(options, handler)
  }
}
