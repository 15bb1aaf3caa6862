/** Connections that begin a request and send the rest of it a byte a second. */
import { connect } from "node:net"
import { clearInterval, clearTimeout, setInterval, setTimeout } from "node:timers"
import * as Service from "../Service.ts"
import type { Attack } from "./Attack.ts"

const sockets = 400

/** After which the caller gives up, so that no socket outlives its round by much. */
const patience = 8_000

export const slowSockets: Attack = {
  callers: sockets,
  prepare: async ({ service }) => {
    const tenant = await Service.makeTenant(service, 1)
    const { hostname, port } = new URL(service.baseUrl)
    return () =>
      new Promise((resolve, reject) => {
        const socket = connect(Number(port), hostname)
        const dripping = setInterval(() => socket.write("x"), 1_000)
        const leaving = setTimeout(() => socket.destroy(), patience)
        socket.write(
          `POST /api/v1/integrations/executions HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${tenant.key}\r\n` +
            "Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n"
        )
        socket.once("error", reject)
        socket.once("close", () => {
          clearInterval(dripping)
          clearTimeout(leaving)
          resolve(0)
        })
        socket.resume()
      })
  }
}
