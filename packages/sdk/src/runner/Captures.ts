/** Captured files, as bytes that can be read more than once. */
import { createHash } from "node:crypto"
import { createWriteStream, openAsBlob } from "node:fs"
import { access, constants, mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { pipeline } from "node:stream/promises"
import type { ArtifactFields } from "../wire/Runner.ts"
import type { ArtifactSource } from "./Context.ts"

const kinds: {
  readonly [Kind in ArtifactFields["kind"]]: readonly [file_name: string, content_type: string]
} = {
  download: ["download.bin", "application/octet-stream"],
  print: ["print.pdf", "application/pdf"],
  screenshot: ["screenshot.png", "image/png"],
  video: ["session.webm", "video/webm"]
}

/** The default name and type of a file. */
export const defaultsOf = (kind: ArtifactFields["kind"], source: ArtifactSource) => {
  const [file_name, content_type] = kinds[kind]
  return { file_name: typeof source === "string" ? basename(source) : file_name, content_type }
}

export interface Opened {
  readonly blob: Blob
  /** Removes the temporary file, if any. */
  readonly close: () => Promise<void>
}

interface Limits {
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** Opens a source. A stream can be read once only, so it goes into a temporary file first. */
export const openSource = async (source: ArtifactSource, limits: Limits): Promise<Opened> => {
  if (typeof source === "string") {
    // Unlike the next step, it says which file cannot be read, and why.
    await access(source, constants.R_OK)
    if (!(await stat(source)).isFile()) throw new Error(`${source} is no file`)
    return kept(await openAsBlob(source))
  }
  if (source instanceof Uint8Array) return kept(new Blob([new Uint8Array(source)]))
  return await spool(source, limits)
}

const kept = (blob: Blob): Opened => ({ blob, close: async () => {} })

const spool = async (source: AsyncIterable<Uint8Array>, { maxBytes, signal }: Limits): Promise<Opened> => {
  const directory = await mkdtemp(join(tmpdir(), "runhook-artifact-"))
  const remove = () => rm(directory, { recursive: true, force: true })
  const path = join(directory, "bytes")
  try {
    await pipeline(atMost(maxBytes, source), createWriteStream(path), { signal })
    return { blob: await openAsBlob(path), close: remove }
  } catch (cause) {
    await remove()
    throw cause
  }
}

/** An endless stream must not fill the disk before the service can refuse it. */
async function* atMost(maxBytes: number, source: AsyncIterable<Uint8Array>) {
  let size = 0
  for await (const chunk of source) {
    size += chunk.byteLength
    if (size > maxBytes) throw new Error(`an artifact must have at most ${maxBytes} bytes`)
    yield chunk
  }
}

/** Size and hash, as the service will check them. */
export const measure = async (blob: Blob, signal: AbortSignal) => {
  const hash = createHash("sha256")
  for await (const chunk of blob.stream()) {
    signal.throwIfAborted()
    hash.update(chunk)
  }
  return { size_bytes: blob.size, sha256: hash.digest("hex") }
}
