/** An answer of the service that comes late: it says what was true when it was asked for. */
import type { Page } from "playwright-core"

export interface Held {
  /** The service has answered. */
  readonly isAnswered: Promise<void>
  /** The page gets the answer, unless it does not wait for it any more. */
  readonly letGo: () => Promise<void>
}

/** Holds the next answer to a look at an address. Those after it come as they are, or never. */
export const holdNext = async (
  page: Page,
  address: RegExp,
  next: "come" | "never come" = "come"
): Promise<Held> => {
  const answered = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  let isHeld = false
  await page.route(address, async (route) => {
    if (route.request().method() !== "GET") return route.fallback()
    if (isHeld) return next === "come" ? route.fallback() : undefined
    isHeld = true
    const answer = await route.fetch()
    answered.resolve()
    await goOn.promise
    await route.fulfill({ response: answer })
    over.resolve()
  })
  return {
    isAnswered: answered.promise,
    letGo: async () => {
      goOn.resolve()
      await over.promise
      // Whatever the page did with it is done when a later answer is there.
      await page.evaluate("fetch('/integrations').then((answer) => answer.text())")
    }
  }
}
