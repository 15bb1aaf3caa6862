/** The work of this agent: visits a page and captures what can be kept of it. */
import { type HandlerContext, type JsonObject, TaskError } from "@runhook/sdk/runner"
import type { Browser, Download, Page } from "playwright-core"
import { recordPage } from "./SessionVideo.ts"

/** What of the handler's context the work needs. */
export type Job = Pick<HandlerContext, "artifacts" | "params" | "progress" | "signal">

/** What this agent's videos show. Name it among a task's `platforms`, so that callers know it. */
export const platform = { platform_id: "0199b2a4-0c00-7000-8000-c4a0b1d2e3f4", handler: "chromium" }

export const viewport = { width: 1280, height: 720 }

interface Params {
  /** The page to visit, http or https. */
  readonly url: string
  /** Whether the screenshot shows the whole page or only what fits the window. Default: only the window. */
  readonly full_page: boolean
  /** CSS selector of what to click for the download. Default: the page's first link with a `download` attribute. */
  readonly download_selector: string
}

/** Rejects when the page cannot be opened, and soon after the job's signal aborts. */
export const visitPage = async (browser: Browser, job: Job): Promise<JsonObject> => {
  const startedAt = performance.now()
  const params = readParams(job.params)
  await using context = await browser.newContext({ viewport, serviceWorkers: "block" })
  const page = await context.newPage()
  const started_offset_ms = Math.round(performance.now() - startedAt)
  const video = await recordPage(page, viewport)
  // Whatever the page is at, closing it ends it.
  const close = () => void context.close()
  job.signal.addEventListener("abort", close)
  try {
    job.signal.throwIfAborted()
    return await captureAll(page, params, job)
  } catch (cause) {
    job.signal.throwIfAborted()
    throw new TaskError(firstLineOf(cause))
  } finally {
    job.signal.removeEventListener("abort", close)
    // Also of work that was stopped: its files are still taken.
    await job.artifacts.video(await video.finish(), { started_offset_ms, ...platform })
  }
}

const captureAll = async (page: Page, params: Params, job: Job): Promise<JsonObject> => {
  job.progress({ percent: 10, step: "opening the page" })
  const openedAt = performance.now()
  const response = await page.goto(params.url, { waitUntil: "load" })
  const load_ms = Math.round(performance.now() - openedAt)

  job.progress({ percent: 40, step: "taking the screenshot" })
  const picture = await page.screenshot({ fullPage: params.full_page })
  await job.artifacts.screenshot(picture, { file_name: "page.png" })

  job.progress({ percent: 60, step: "printing" })
  const print = await page.pdf({ format: "A4", printBackground: true })
  await job.artifacts.print(print, { file_name: "page.pdf" })

  const result = {
    title: await page.title(),
    final_url: page.url(),
    http_status: response?.status() ?? null,
    load_ms,
    links: await page.locator("a[href]").count(),
    images: await page.locator("img").count(),
    headings: await page.locator("h1, h2, h3, h4, h5, h6").count()
  }

  job.progress({ percent: 80, step: "downloading" })
  await captureDownload(page, params.download_selector, job)
  return result
}

/** Keeps the file that a click on the page downloads; the page itself where there is nothing to click. */
const captureDownload = async (page: Page, selector: string, { artifacts }: Job): Promise<void> => {
  const link = page.locator(selector).first()
  if ((await link.count()) === 0) {
    const options = { file_name: "page.html", content_type: "text/html; charset=utf-8" }
    await artifacts.download(Buffer.from(await page.content()), options)
    return
  }
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()])
  await artifacts.download(await download.path(), { file_name: fileNameOf(download) })
}

/** The name the site suggests, without what a file name may not hold. */
const fileNameOf = (download: Download): string =>
  download
    .suggestedFilename()
    .replace(/[\p{Cc}/\\]/gu, "_")
    .slice(0, 255) || "download"

/** The browser driver's messages go on with a log. */
const firstLineOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).split("\n", 1).join("")

/** The service has checked the params against the task's schema; who wrote another schema learns it here. */
const readParams = ({ url, full_page = false, download_selector = "a[download]" }: JsonObject): Params => {
  if (typeof url !== "string" || !/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    throw new Error("params.url must be an http or https URL")
  }
  if (typeof full_page !== "boolean") throw new Error("params.full_page must be a boolean")
  if (typeof download_selector !== "string")
    throw new Error("params.download_selector must be a CSS selector")
  return { url, full_page, download_selector }
}
