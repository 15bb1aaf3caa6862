/** An account with all it takes to run something, and a runner that does what a test says. */
import { createHash } from "node:crypto"
import type { Service } from "./Service.ts"

interface Made {
  readonly id: string
}

interface Claim {
  readonly execution_id: string
  readonly epoch: number
}

export interface Tenant {
  readonly apiKey: string
  readonly agent_id: string
  readonly task_id: string
  /** The runner's next work, started. */
  start(): Promise<Claim>
  /** Asks for input, and gives the question's id. */
  ask(claim: Claim): Promise<string>
  /** Uploads a file as a download of the run. */
  capture(claim: Claim, text: string): Promise<void>
  /** With a result of three pages. */
  complete(claim: Claim): Promise<void>
}

export const makeTenant = async (service: Service): Promise<Tenant> => {
  const { id: account } = await service.admin<Made>("", { name: "Acme" })
  const agent = await service.admin<Made>(`/${account}/agents`, { name: "Press", capacity: 10 })
  const task = await service.admin<Made>(`/${account}/tasks`, { slug: "print", name: "Print" })
  await service.admin(`/${account}/tasks/${task.id}/versions`, {
    params_schema: { type: "object", properties: { copies: { type: "integer" } } }
  })
  // A test of every call by every client makes more of them at once than a caller may by default.
  const { key: apiKey } = await service.admin<{ key: string }>(`/${account}/keys`, {
    name: "Back office",
    rate_limit: { per_second: 1_000, burst: 10_000 }
  })
  const { key } = await service.admin<{ key: string }>(`/${account}/runner-keys`, { name: "Cellar" })

  const call = <A>(path: string, body: unknown) => service.json<A>({ key, path: `/runner${path}`, body })
  const { session_id } = await call<{ session_id: string }>("/sessions", {
    instance_id: "cellar-1",
    runner_name: "Cellar",
    capacity: 10
  })
  let claims = 0

  return {
    apiKey,
    agent_id: agent.id,
    task_id: task.id,

    start: async () => {
      const { claims: given } = await call<{ claims: ReadonlyArray<Claim> }>("/claims", {
        session_id,
        claim_id: `claim-${++claims}`,
        free_slots: 1,
        wait_ms: 20_000
      })
      const [claim] = given
      if (claim === undefined) throw new Error("There is no work")
      await call(`/executions/${claim.execution_id}/start`, { epoch: claim.epoch })
      return claim
    },

    ask: async ({ epoch, execution_id }) => {
      const asked = await call<{ input_id: string }>(`/executions/${execution_id}/inputs`, {
        epoch,
        input_key: "code",
        prompt: "Which code?",
        schema: { type: "string" },
        expires_in_s: 3_600,
        on_timeout: "error",
        mode: "hold"
      })
      return asked.input_id
    },

    capture: async ({ epoch, execution_id }, text) => {
      const path = `/executions/${execution_id}/artifacts`
      const { artifact_id, upload } = await call<{ artifact_id: string; upload: { url: string } }>(path, {
        epoch,
        kind: "download",
        file_name: "report.txt",
        content_type: "text/plain",
        size_bytes: Buffer.byteLength(text),
        sha256: createHash("sha256").update(text).digest("hex")
      })
      const { ok } = await fetch(upload.url, { method: "PUT", body: text })
      if (!ok) throw new Error("The upload was refused")
      await call(`${path}/${artifact_id}/complete`, { epoch })
    },

    complete: async ({ epoch, execution_id }) => {
      const outcome = { epoch, outcome: "completed", result: { pages: 3 } }
      await call(`/executions/${execution_id}/complete`, outcome)
    }
  }
}
