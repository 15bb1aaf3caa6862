/** Files as runners capture them. */
import { createHash } from "node:crypto"
import { PlatformId } from "@runhook/core/shared/Ids"
import * as Effect from "effect/Effect"
import { Host } from "../Service.ts"
import type { Work } from "../Tenant.ts"

const page = new TextEncoder().encode("Page 1")

/** What is announced of these bytes. */
export const fileOf = (bytes: Uint8Array) => ({
  size_bytes: bytes.length,
  sha256: createHash("sha256").update(bytes).digest("hex")
})

export const file = {
  kind: "print",
  file_name: "invoice.txt",
  content_type: "text/plain",
  ...fileOf(page)
} as const

export const seen = {
  platform_id: PlatformId.make("00000000-0000-7000-8000-000000000001"),
  handler: "browser",
  started_offset_ms: 0
}

export const video = {
  ...file,
  ...seen,
  kind: "video",
  file_name: "session.webm",
  content_type: "video/webm"
} as const

/** What a runner says of a capture. */
export type Announced = Parameters<
  Work["runner"]["runner"]["registerArtifact"]
>[0]["payload"] extends infer Body
  ? Omit<Body, "epoch">
  : never

/** Where a runner is at work. */
interface At extends Pick<Work, "held" | "runner"> {
  readonly [more: string]: unknown
}

export const register = ({ held, runner }: At, announced: Announced) =>
  runner.runner.registerArtifact({ ...held, payload: { ...held.payload, ...announced } })

export const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** Registers a capture, sends its bytes, and shows it to callers. */
export const makeCapture = Effect.fnUntraced(function* (work: At, announced: Announced, bytes = page) {
  const host = yield* Host
  const { artifact_id, upload } = yield* register(work, announced)
  yield* host(pathOf(upload.url), { method: upload.method, headers: upload.headers, body: bytes })
  const params = { ...work.held.params, artifactId: artifact_id }
  yield* work.runner.runner.completeArtifact({ params, payload: work.held.payload })
  return artifact_id
})
