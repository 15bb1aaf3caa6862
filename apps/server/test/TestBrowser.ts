/** One Chromium for all tests of a process, which it ends with: each test has windows of its own. */
import { launchBrowser } from "@runhook/example-agent/Browser"
import type { Browser } from "playwright-core"

let launched: Promise<Browser> | undefined

export const testBrowser = (): Promise<Browser> => (launched ??= launchBrowser({}))
