/** Where runners work: one of the SDK in a process that a test kills, and others that speak the runner API by hand. */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import type { JsonObject } from "@runhook/sdk"
import { postJson } from "./Service.ts"

/** As much of a claim as the story is about. */
interface Claim {
  readonly execution_id: string
  readonly attempt: number
  readonly epoch: number
  readonly params: JsonObject
  readonly checkpoint: unknown
}

interface RunnerOf {
  readonly baseUrl: string
  readonly runnerKey: string
}

/** The first machine, whose runner is a process. */
export const firstMachine = ({ baseUrl, runnerKey }: RunnerOf) => {
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
      const machine = await aMachine({ baseUrl, runnerKey }, "first machine")
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
export const aMachine = async ({ baseUrl, runnerKey }: RunnerOf, name: string) => {
  const call = (path: string, body: object) => postJson(`${baseUrl}/api/v1/runner${path}`, runnerKey, body)
  const { recover, session_id } = await call("/sessions", {
    instance_id: name,
    runner_name: name,
    capacity: 1
  })
  const recovered: ReadonlyArray<Claim> = recover
  const report = ({ epoch, execution_id }: Claim, outcome: object) =>
    call(`/executions/${execution_id}/complete`, { epoch, ...outcome })
  let claims = 0
  return {
    recovered,
    report,
    /** Waits for work, and starts it. */
    begins: async (): Promise<Claim> => {
      for (;;) {
        const claim_id = `${name} ${claims++}`
        const found = await call("/claims", {
          session_id,
          claim_id,
          free_slots: 1,
          wait_ms: 20_000,
          start: true
        })
        const [claim]: ReadonlyArray<Claim> = found.claims
        if (claim !== undefined) return claim
      }
    },
    /** Uploads a file of the work. */
    captures: async ({ epoch, execution_id }: Claim, file_name: string, content: string) => {
      const bytes = new TextEncoder().encode(content)
      const { artifact_id, upload } = await call(`/executions/${execution_id}/artifacts`, {
        epoch,
        kind: "download",
        file_name,
        content_type: "text/csv",
        size_bytes: bytes.length,
        sha256: createHash("sha256").update(bytes).digest("hex")
      })
      await fetch(upload.url, { method: upload.method, headers: upload.headers, body: bytes })
      await call(`/executions/${execution_id}/artifacts/${artifact_id}/complete`, { epoch })
    },
    /** Reports a result, which the service may refuse. */
    completes: (claim: Claim, result: object) => report(claim, { outcome: "completed", result })
  }
}
