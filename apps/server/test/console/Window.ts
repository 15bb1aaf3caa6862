/** A window of the browser, and what went on in all its tabs. */
import type { BrowserContext, Page } from "playwright-core"

export interface Watched {
  readonly context: BrowserContext
  /** What a page asked of others than the service, and what it said in its console. */
  readonly problems: ReadonlyArray<string>
  /** Lets go what it noted until now. */
  readonly forget: () => void
  /** What its tabs show, and their failed calls, for the report of a failed test. */
  readonly tell: () => Promise<string>
}

export interface Watching {
  /** Where the service is for this window. */
  readonly at: string
  /** Problems that the test itself causes. */
  readonly expects: RegExp | undefined
}

/** The characters of one tab, and the number of a window's failed calls, in that report. */
const textMax = 3_000
const callsMax = 20

export const watch = (context: BrowserContext, { at, expects }: Watching): Watched => {
  const problems: Array<string> = []
  const calls: Array<string> = []
  const note = (problem: string) => {
    if (expects?.test(problem) !== true) problems.push(problem)
  }
  context.on("request", (request) => {
    if (!request.url().startsWith(at)) note(`asked ${request.url()}`)
  })
  context.on("weberror", (thrown) => note(thrown.error().message))
  context.on("console", (line) => {
    if (line.type() === "error") note(`${line.text()} ${line.location().url}`)
  })
  context.on("requestfailed", (request) => {
    calls.push(`${request.method()} ${request.url()}: ${request.failure()?.errorText ?? "failed"}`)
  })
  context.on("response", (response) => {
    if (response.status() >= 400) {
      calls.push(`${response.request().method()} ${response.url()}: ${response.status()}`)
    }
  })
  const tell = async () => {
    const shown = await Promise.all(context.pages().map(shownBy))
    return [...shown, "Calls that failed:", ...calls.slice(-callsMax)].join("\n")
  }
  const forget = () => {
    problems.length = 0
    calls.length = 0
  }
  return { context, problems, forget, tell }
}

const shownBy = async (page: Page): Promise<string> => {
  const text = await page
    .locator("body")
    .innerText({ timeout: 2_000 })
    .catch((error: unknown) => `nothing that can be read: ${String(error)}`)
  return `${page.url()} shows:\n${text.slice(0, textMax)}\n`
}

/** Goes to another view within the page, by way of one that is unlike any other, so that it is seen to come. */
export const turnTo = async (page: Page, address: string): Promise<void> => {
  const show = (url: string) =>
    page.evaluate(
      `history.pushState(null, "", ${JSON.stringify(url)}); dispatchEvent(new PopStateEvent("popstate"))`
    )
  const between = page.getByRole("heading", { name: "There is no such page" })
  await show("/integrations/nowhere")
  await between.waitFor()
  await show(address)
  await between.waitFor({ state: "detached" })
}
