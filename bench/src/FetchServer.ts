/** Serves a function from `Request` to `Response` on a free port of loopback, as hosts on Node do it. */
import { once } from "node:events"
import { serve } from "@hono/node-server"

/** Answers its URL. */
export const serveFetch = async (
  fetch: (request: Request) => Response | Promise<Response>
): Promise<string> => {
  const server = serve({ fetch, hostname: "127.0.0.1", port: 0 })
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The host has no port")
  return `http://127.0.0.1:${address.port}`
}
