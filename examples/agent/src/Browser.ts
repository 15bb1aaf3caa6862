/** A headless Chromium with an empty profile, for one piece of work. */
import { type Browser, chromium } from "playwright-core"
import { chromiumFiles } from "./ChromiumFiles.ts"

const flags = [
  "--headless",
  // Chromium's own sandbox needs rights that a container's root has not; the container is the sandbox.
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Peer-to-peer connections would go past a proxy.
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp"
]

export interface BrowserOptions {
  /** Path of a Chromium to use instead of the one from npm. */
  readonly executable?: string | undefined
  /** The proxy that all its traffic goes through. Default: none. */
  readonly proxy?: string | undefined
}

export const launchBrowser = async ({ executable, proxy }: BrowserOptions): Promise<Browser> => {
  const files = executable === undefined ? await chromiumFiles() : { executable, environment: {} }
  return await chromium.launch({
    executablePath: files.executable,
    args: flags,
    env: { ...process.env, ...files.environment },
    // Stopping is the runner's to decide.
    handleSIGINT: false,
    handleSIGTERM: false,
    ...(proxy === undefined ? {} : { proxy: { server: proxy } })
  })
}
