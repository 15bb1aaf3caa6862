import { readFile } from "node:fs/promises"
import { buffer } from "node:stream/consumers"
import { type Artifacts, type ArtifactSource, type JsonObject, StoppedError } from "@runhook/sdk/runner"
import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { launchBrowser } from "../src/Browser.ts"
import { type Job, viewport, visitPage } from "../src/BrowserTask.ts"
import { playVideo, seePicture } from "./Media.ts"
import { type PageServer, report, startPageServer } from "./PageServer.ts"

let site: PageServer
let browser: Browser
beforeAll(async () => {
  site = await startPageServer()
  browser = await launchBrowser({})
})
afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
})

interface Capture {
  readonly kind: keyof Artifacts
  readonly file_name: string | undefined
  readonly bytes: Uint8Array
}

const bytesOf = async (source: ArtifactSource): Promise<Uint8Array> => {
  if (typeof source === "string") return await readFile(source)
  return source instanceof Uint8Array ? source : await buffer(source)
}

/** A job that keeps what the work says, in order. */
const makeJob = (params: JsonObject, onStep: (step: string | undefined) => void = () => {}) => {
  const stop = new AbortController()
  const events: Array<string> = []
  const captures: Array<Capture> = []
  const keep =
    (kind: Capture["kind"]): Artifacts["download"] =>
    async (source, { file_name } = {}) => {
      const bytes = await bytesOf(source)
      events.push(`captured ${kind}`)
      captures.push({ kind, file_name, bytes })
      return { artifact_id: kind, size_bytes: bytes.byteLength, sha256: "" }
    }
  const job: Job = {
    params,
    signal: stop.signal,
    progress: ({ step = "" }) => {
      events.push(step)
      onStep(step)
    },
    artifacts: {
      download: keep("download"),
      print: keep("print"),
      screenshot: keep("screenshot"),
      video: keep("video")
    }
  }
  const captured = (kind: Capture["kind"]): Capture => {
    const file = captures.find((capture) => capture.kind === kind)
    assert(file, `nothing was captured as ${kind}`)
    return file
  }
  return { job, events, captured, stop: () => stop.abort(new StoppedError("cancelled", "enough")) }
}

/** One visit to a page that has everything, which takes seconds of work, for all tests that look at what it gave. */
const visitWhole = async () => {
  const { job, ...visit } = makeJob({ url: `${site.origin}/` })
  return { ...visit, result: await visitPage(browser, job) }
}

describe("visitPage", () => {
  let visited: Awaited<ReturnType<typeof visitWhole>>
  beforeAll(async () => {
    visited = await visitWhole()
  })

  it("tells what the page is and how far it has come", async () => {
    const { events, result } = visited
    const { load_ms, ...seen } = result

    assert.deepStrictEqual(seen, {
      title: "Quarterly report",
      final_url: `${site.origin}/`,
      http_status: 200,
      links: 2,
      images: 1,
      headings: 2
    })
    assert.isNumber(load_ms)
    assert.deepStrictEqual(events, [
      "opening the page",
      "taking the screenshot",
      "captured screenshot",
      "printing",
      "captured print",
      "downloading",
      "captured download",
      "captured video"
    ])
  })

  it("takes a screenshot of the window", async () => {
    const { captured } = visited

    const { colours, ...size } = await seePicture(browser, captured("screenshot").bytes)
    assert.deepStrictEqual(size, viewport)
    assert.isAbove(colours, 10)
  })

  it("takes a screenshot of the whole page when asked to", async () => {
    const { job, captured } = makeJob({ url: `${site.origin}/`, full_page: true })

    await visitPage(browser, job)

    const { width, height } = await seePicture(browser, captured("screenshot").bytes)
    assert.deepStrictEqual({ width, height }, { width: 1280, height: 2000 })
  })

  it("prints the page as a PDF with pages", async () => {
    const { captured } = visited

    const pdf = Buffer.from(captured("print").bytes).toString("latin1")
    assert.isTrue(pdf.startsWith("%PDF-"))
    assert.isAtLeast(pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0, 2)
  })

  it("downloads what the page's link gives, byte for byte", async () => {
    const { captured } = visited

    const download = captured("download")
    assert.strictEqual(download.file_name, "report.csv")
    assert.isTrue(report.equals(download.bytes))
  })

  it("keeps the page itself where there is nothing to download", async () => {
    const { job, captured } = makeJob({ url: `${site.origin}/plain` })

    await visitPage(browser, job)

    const download = captured("download")
    assert.strictEqual(download.file_name, "page.html")
    assert.include(Buffer.from(download.bytes).toString(), "<h1>Plain</h1>")
  })

  it("records a video that plays to its end", async () => {
    const { captured } = visited

    const { seconds, colours, ...size } = await playVideo(browser, captured("video").bytes)
    assert.deepStrictEqual(size, viewport)
    assert.isAbove(colours, 10)
    assert.isAbove(seconds, 0.1)
    assert.isBelow(seconds, 60)
  })

  it("stops in the middle of a page that never comes, and still gives the video", async () => {
    const { job, events, captured, stop } = makeJob({ url: `${site.origin}/never` }, () => {
      events.push("stopped")
      stop()
    })

    const failure: unknown = await visitPage(browser, job).catch((cause: unknown) => cause)
    events.push("rejected")

    assert.instanceOf(failure, StoppedError)
    assert.deepStrictEqual(events, ["opening the page", "stopped", "captured video", "rejected"])
    assert.isAbove(captured("video").bytes.byteLength, 0)
  })

  it("keeps what was captured before it was stopped", async () => {
    const { job, events, stop } = makeJob({ url: `${site.origin}/` }, (step) => {
      if (step === "printing") stop()
    })

    await visitPage(browser, job).catch(() => {})

    assert.deepStrictEqual(events.slice(-3), ["captured screenshot", "printing", "captured video"])
  })

  it("names the rule that its params break", async () => {
    const { job } = makeJob({ url: "file:///etc/passwd" })

    const failure: unknown = await visitPage(browser, job).catch((cause: unknown) => cause)

    assert.instanceOf(failure, Error)
    assert.strictEqual(failure.message, "params.url must be an http or https URL")
  })
})
