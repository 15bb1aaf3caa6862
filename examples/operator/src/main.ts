/**
 * Starts what the systemd unit would: a process that answers requests and one
 * that delivers callbacks, with the settings of one file. When one ends, or
 * when it is told to stop, it stops both and waits for them.
 *
 *     node examples/operator/src/main.ts runhook.env
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const server = fileURLToPath(new URL("../../../apps/server/start.mjs", import.meta.url))

const roles = [
  { role: "api", port: process.env["API_PORT"] ?? "8700" },
  { role: "dispatcher", port: process.env["DISPATCHER_PORT"] ?? "8701" }
]

const [settings] = process.argv.slice(2)
if (settings === undefined) {
  console.error("Usage: node examples/operator/src/main.ts <file of settings>")
  process.exit(1)
}

const children = roles.map(({ port, role }) => {
  const child = spawn(process.execPath, [`--env-file=${settings}`, server, "serve"], {
    env: { ...process.env, RUNHOOK_ROLES: role, RUNHOOK_PORT: port },
    stdio: ["ignore", "pipe", "pipe"]
  })
  for (const output of [child.stdout, child.stderr]) {
    createInterface(output).on("line", (line) => console.log(`${role} | ${line}`))
  }
  return child
})

let isStopping = false
const stop = () => {
  isStopping = true
  for (const child of children) child.kill("SIGTERM")
}
process.on("SIGTERM", stop).on("SIGINT", stop)

const codes = await Promise.all(
  children.map(async (child) => {
    await once(child, "close")
    // To one that is stopping already, it would say to hurry.
    if (!isStopping) stop()
    return child.exitCode ?? 1
  })
)
process.exitCode = Math.max(...codes)
