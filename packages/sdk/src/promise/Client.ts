/** The calls of the integration API as promises, over a given `fetch` and clock. */
import type { Clock } from "../call/Clock.ts"
import { type CallOptions, type RunhookOptions, settingsOf } from "../call/Settings.ts"
import type { FileLink } from "../requests/Files.ts"
import { integration, type IntegrationCalls } from "../requests/Integration.ts"
import type { ApiRequest } from "../requests/Request.ts"
import { type Call, callOf, readAny, readNothing } from "./Answer.ts"
import { sendBatch } from "./Batch.ts"
import { follow } from "./Follow.ts"
import { listOf } from "./List.ts"
import { messagesOf } from "./Messages.ts"
import { openFile } from "./OpenFile.ts"
import { writeFile } from "./SavedFile.ts"
import { makeSend } from "./Send.ts"
import type { Promises } from "./Types.ts"
import { waitFor } from "./WaitFor.ts"

type Calls = IntegrationCalls<Promises>

export interface RunhookClient extends Calls {
  readonly files: Calls["files"] & {
    /**
     * Saves a file: under a path, on runtimes with Node's file system, or to any stream. A path holds the whole file or
     * what was there before. `file_name` comes from the run: it may be the name of a file that you have.
     *
     * @example
     * ```ts
     * for (const file of execution.downloads) await runhook.files.save(file, `./${file.id}`)
     * ```
     */
    readonly save: (
      file: FileLink,
      target: string | WritableStream<Uint8Array>,
      options?: CallOptions
    ) => Promise<void>
  }
  readonly request: <A>(request: ApiRequest, options?: CallOptions) => Call<A>
}

export const makeClient = (options: RunhookOptions, clock: Clock): RunhookClient => {
  const settings = settingsOf(options)
  const send = makeSend(settings, clock)
  const calls = integration<Promises>({
    call: (request) => send(request),
    list: (firstPage) => listOf(firstPage, send),
    nothing: (request) => send(request, readNothing),
    file: (request) => send(request, openFile),
    messages: (reading) => messagesOf(reading, send),
    link: (path) => settings.apiRoot + path,
    wait: (wait) => waitFor(wait, { clock, send }),
    follow: (following) => follow(following, { clock, send }),
    batch: (batch) => callOf(sendBatch(batch, { clock, limits: settings.limits, send })),
    makeAndWait: async (making) => waitFor(making.waitFor(await send(making.make)), { clock, send })
  })
  return {
    ...calls,
    files: {
      ...calls.files,
      save: async (file, target, callOptions) => {
        const { body } = await calls.files.download(file, callOptions)
        const bytes = body ?? new Blob([]).stream()
        await (typeof target === "string" ? writeFile(target, bytes) : bytes.pipeTo(target))
      }
    },
    request: <A>(request: ApiRequest, callOptions?: CallOptions) =>
      send({ ...request, options: callOptions }, readAny<A>)
  }
}
