/** A runner that speaks the runner API by hand, and does what a test says. */
import { createHash, randomUUID } from "node:crypto"
import type { Api } from "./Api.ts"

export interface Claim {
  readonly execution_id: string
  readonly epoch: number
  readonly attempt: number
  readonly params: Readonly<Record<string, ReturnType<typeof JSON.parse>>>
  readonly checkpoint: unknown
}

export interface RunnerFields {
  readonly instance_id?: string
  readonly runner_name?: string
  readonly capacity?: number
}

/** A runner with an open session. */
export const openRunner = async (
  { json }: Pick<Api, "json">,
  { runnerKey }: { readonly runnerKey: string },
  fields: RunnerFields = {}
) => {
  const call = (path: string, body: object) => json({ key: runnerKey, path: `/runner${path}`, body })
  const introduction = { instance_id: "cellar-1", runner_name: "Cellar", capacity: 10, ...fields }
  const { recover, session_id: sessionId } = await call("/sessions", introduction)
  const recovered: ReadonlyArray<Claim> = recover

  /** Reports how an attempt ended. */
  const report = ({ epoch, execution_id }: Claim, outcome: object) =>
    call(`/executions/${execution_id}/complete`, { epoch, ...outcome })

  return {
    sessionId,
    /** The work of an earlier life. */
    recovered,
    call,
    report,

    /** Waits for work, and starts it. */
    start: async (): Promise<Claim> => {
      for (;;) {
        const { claims } = await call("/claims", {
          session_id: sessionId,
          claim_id: randomUUID(),
          free_slots: 1,
          wait_ms: 20_000,
          start: true
        })
        const [claim]: ReadonlyArray<Claim> = claims
        if (claim !== undefined) return claim
      }
    },

    /** Asks for input, and gives the question's id. */
    ask: async ({ epoch, execution_id }: Claim, question: object = {}): Promise<string> => {
      const { input_id } = await call(`/executions/${execution_id}/inputs`, {
        epoch,
        input_key: "code",
        prompt: "Which code?",
        schema: { type: "string" },
        expires_in_s: 3_600,
        on_timeout: "error",
        mode: "hold",
        ...question
      })
      return input_id
    },

    /** Uploads a text as a download of the run. */
    capture: async ({ epoch, execution_id }: Claim, text: string, file: object = {}): Promise<void> => {
      const path = `/executions/${execution_id}/artifacts`
      const { artifact_id, upload } = await call(path, {
        epoch,
        kind: "download",
        file_name: "report.txt",
        content_type: "text/plain",
        size_bytes: Buffer.byteLength(text),
        sha256: createHash("sha256").update(text).digest("hex"),
        ...file
      })
      const { ok } = await fetch(upload.url, { method: upload.method, headers: upload.headers, body: text })
      if (!ok) throw new Error("The upload was refused")
      await call(`${path}/${artifact_id}/complete`, { epoch })
    },

    complete: (claim: Claim, result: object = {}) => report(claim, { outcome: "completed", result })
  }
}

export type Runner = Awaited<ReturnType<typeof openRunner>>
