/** Where runners work: one of the SDK in a process that a test kills, and others that speak the runner API by hand. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import type { Api } from "@runhook/test-support/world/Api"
import { openRunner } from "@runhook/test-support/world/Runner"

interface RunnerOf {
  readonly baseUrl: string
  readonly json: Api["json"]
  readonly runnerKey: string
}

/** The first machine, whose runner is a process. */
export const firstMachine = ({ baseUrl, json, runnerKey }: RunnerOf) => {
  const program = fileURLToPath(new URL("./FirstMachine.ts", import.meta.url))
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env["PATH"], RUNHOOK_BASE_URL: baseUrl, RUNHOOK_RUNNER_KEY: runnerKey },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const ended = once(child, "close")
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    /** The next line that the work prints. */
    says: async () => (await lines.next()).value,
    losePower: async () => {
      child.kill("SIGKILL")
      await ended
    },
    /** Its supervisor starts it again under its name: it says which work was lost. */
    comesBack: async () => {
      const machine = await openMachine({ json, runnerKey }, "first machine")
      for (const lost of machine.recovered) {
        const error = { message: "the machine had no power", retryable: true, delay_ms: 0 }
        await machine.report(lost, { outcome: "error", error })
      }
    },
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL")
      await ended
    }
  }
}

/** A machine whose runner does what the story says. */
export const openMachine = (service: Pick<RunnerOf, "json" | "runnerKey">, name: string) =>
  openRunner(service, service, { instance_id: name, runner_name: name, capacity: 1 })
