import { serve } from "@hono/node-server"
import { config } from "./config.ts"
import { startHost } from "./Host.ts"

const { port, ...options } = config(process.env)
const host = await startHost(options)
const server = serve({ fetch: host.fetch, port }, () => console.log(`Listening on ${options.baseUrl}`))

const stop = () => {
  server.close()
  void host.close()
}
process.once("SIGTERM", stop).once("SIGINT", stop)
