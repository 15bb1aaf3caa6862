/** The bytes of what a run captured. */
import { type Call, readError, type Reading } from "../call/Answer.ts"
import { pathOf } from "../call/Request.ts"
import type { Send } from "../call/Send.ts"
import type { CallOptions } from "../call/Settings.ts"
import type { FileArtifact } from "../wire/Integration.ts"
import { writeFile } from "./SavedFile.ts"

/** A file as executions and artifacts show it, or its link alone. */
export type FileLink = Pick<FileArtifact, "url">

/** Where a file is among those of the API, whichever address the service knows itself by. */
const filePath = /\/api\/v1\/integrations(\/executions\/[^/?#]+\/files\/[^/?#]+)$/

/** The path of a file's link. */
export const pathOfFile = ({ url }: FileLink): string => {
  const path = filePath.exec(url)?.[1]
  if (path === undefined) throw new TypeError("file.url must be the link of a file, as executions show it")
  return path
}

export const makeFiles = (send: Send, apiRoot: string) => {
  const download = (file: FileLink, options?: CallOptions): Call<Response> =>
    send({ method: "GET", path: pathOfFile(file) }, options, openFile)

  return {
    /**
     * Opens a file: the body of the response streams its bytes. The key is sent to the service alone, never to the
     * storage that it refers to. Time limits hold until the first byte, and what breaks off after it is not retried.
     *
     * @example
     * ```ts
     * const response = await runhook.files.download(file)
     * const bytes = new Uint8Array(await response.arrayBuffer())
     * ```
     */
    download,

    /**
     * The link of a file. It opens with the key only: see `download`.
     *
     * @example
     * ```ts
     * const link = runhook.files.url({ execution_id, id: file.id })
     * ```
     */
    url: ({ execution_id, id }: { readonly execution_id: string; readonly id: string }): string =>
      apiRoot + pathOf`/executions/${execution_id}/files/${id}`,

    /**
     * Saves a file: under a path, on runtimes with Node's file system, or to any stream. A path holds the whole file or
     * what was there before. Do not use `file_name` as a path unchecked: it comes from the run.
     *
     * @example
     * ```ts
     * for (const file of execution.downloads) await runhook.files.save(file, `./${file.id}`)
     * ```
     */
    save: async (
      file: FileLink,
      target: string | WritableStream<Uint8Array>,
      options?: CallOptions
    ): Promise<void> => {
      const { body } = await download(file, options)
      const bytes = body ?? new Blob([]).stream()
      await (typeof target === "string" ? writeFile(target, bytes) : bytes.pipeTo(target))
    }
  }
}

export type Files = ReturnType<typeof makeFiles>

/** Follows the redirect to the storage, without the key. */
const openFile = async (response: Response, reading: Reading): Promise<Response> => {
  const opened = await behind(response, reading)
  if (opened.ok) return opened
  throw await readError(opened, reading)
}

const behind = async (response: Response, { fetch, follow, signal }: Reading): Promise<Response> => {
  // A page may not see where a redirect leads. The browser follows it, and drops the key for another origin.
  if (response.type === "opaqueredirect") return follow()
  const location = response.status === 302 ? response.headers.get("location") : null
  if (location === null) return response
  await response.body?.cancel()
  return fetch(new URL(location, response.url || undefined), { signal })
}
