/** Listens on a free port of loopback, until the resources end. */
import { once } from "node:events"
import type { Server } from "node:http"

/** Answers where callbacks may be sent to. */
export const listen = async (server: Server, resources: AsyncDisposableStack): Promise<string> => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  resources.defer(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The receiver has no port")
  return `http://127.0.0.1:${address.port}/callbacks`
}
