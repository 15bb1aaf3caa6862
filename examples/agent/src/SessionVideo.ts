/**
 * Records what a page shows, as WebM. Chromium does the work: the screencast
 * of one page is encoded in another, so no ffmpeg is needed.
 */
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import { webmFile } from "./WebmFile.ts"

/** Two pictures are encoded meanwhile, each in well under a second even on a busy machine. */
const finishTimeoutMs = 15_000
const jpegQuality = 70
const bitrate = 1_500_000

/** Video encoders exist in secure pages only. Nothing is ever asked of this host: the page comes from a file. */
const studioUrl = "https://recorder.invalid/"
const studioPage = fileURLToPath(new URL("./recorder.html", import.meta.url))

/** The object that recorder.html makes. */
interface Recorder {
  draw(jpeg: string): Promise<void>
  finish(): Promise<
    ReadonlyArray<{ readonly atMs: number; readonly isKey: boolean; readonly base64: string }>
  >
}

export interface SessionVideo {
  /** Ends the recording, also when the page is already closed, and answers the file. */
  finish(): Promise<Uint8Array<ArrayBuffer>>
}

export const recordPage = async (
  page: Page,
  size: { readonly width: number; readonly height: number }
): Promise<SessionVideo> => {
  const browser = page.context().browser()
  if (browser === null) throw new Error("Only pages of a launched browser can be recorded")
  // A context of its own outlives the one that a cancel closes.
  const studio = await browser.newPage()
  await studio.route(studioUrl, (route) => route.fulfill({ path: studioPage }))
  await studio.goto(studioUrl)
  const options = JSON.stringify({ ...size, codec: "vp8", bitrate })
  const recorder = await studio.evaluateHandle<Recorder>(`new Recorder(${options})`)

  const screencast = await page.context().newCDPSession(page)
  let drawn: Promise<unknown> = Promise.resolve()
  screencast.on("Page.screencastFrame", ({ data, sessionId }) => {
    // One after the other. The next frames come when this one is acknowledged, so a slow encoder gets fewer.
    drawn = drawn
      .then(() => recorder.evaluate((self, jpeg) => self.draw(jpeg), data))
      .then(() => screencast.send("Page.screencastFrameAck", { sessionId }))
      // The page is closed in the middle of a frame when the work is stopped.
      .catch(() => {})
  })
  await screencast.send("Page.startScreencast", {
    format: "jpeg",
    quality: jpegQuality,
    maxWidth: size.width,
    maxHeight: size.height
  })

  return {
    async finish() {
      const finished = recorder.evaluate((self) => self.finish())
      const encoded = await Promise.race([finished, pause(finishTimeoutMs, undefined, { ref: false })])
      await studio.close()
      if (encoded === undefined) throw new Error("The session video could not be finished in time")
      const frames = encoded.map(({ base64, ...frame }) => ({
        ...frame,
        bytes: Buffer.from(base64, "base64")
      }))
      return webmFile({ ...size, codec: "V_VP8", frames })
    }
  }
}
