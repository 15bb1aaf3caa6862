/** Files that a run captured. */
import type { FileArtifact } from "../wire/Integration.ts"
import type { ClientTypes, IntegrationClient } from "./Client.ts"
import { filesDownload, filesDownloadLink } from "./Integration.generated.ts"

/** A file of an execution, or its link. */
export type FileLink = Pick<FileArtifact, "url">

/** The path of a file's link below the API, independent of the service's own base URL. */
const pathOfFile = ({ url }: FileLink): string => {
  const path = filesDownloadLink.exec(url)?.[1]
  if (path === undefined) throw new TypeError("file.url must be the link of a file, as executions show it")
  return path
}

export const files = <T extends ClientTypes>(client: IntegrationClient<T>) => ({
  /**
   * Opens a file, and streams its bytes. The key is sent to the service alone, never to the storage that it refers to.
   * Time limits hold until the first byte, and what breaks off after it is not retried.
   *
   * @example
   * ```ts
   * const response = await runhook.files.download(file)
   * const bytes = new Uint8Array(await response.arrayBuffer())
   * ```
   */
  download: (file: FileLink, options?: T["options"]) =>
    client.file({
      method: "GET",
      path: pathOfFile(file),
      options
    }),

  /**
   * The link of a file. It opens with the key only: see `download`.
   *
   * @example
   * ```ts
   * const link = runhook.files.url({ execution_id, id: file.id })
   * ```
   */
  url: ({ execution_id, id }: { readonly execution_id: string; readonly id: string }) =>
    client.link(filesDownload({ execution_id, id }).path)
})
