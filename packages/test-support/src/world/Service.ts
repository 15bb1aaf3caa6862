/** A service with nothing in it, as a process of its own. */
import { type Api, apiAt } from "./Api.ts"
import {
  type Environment,
  makeDirectory,
  removeDirectory,
  type ServiceProcess,
  startProcess,
  urlOf
} from "./ServiceProcess.ts"
import { type Make, makeBy } from "./Tenant.ts"

const withTimings = new URL("./Timings.ts", import.meta.url).href

export const adminKey = "the-admin-key-of-the-services-of-tests"

export interface Service extends AsyncDisposable, Api, Pick<ServiceProcess, "says"> {
  readonly url: string
  /** Makes something as the operator, below `/admin/accounts`. */
  readonly make: Make
  /** Ends its process in the middle of whatever it does. */
  kill(): Promise<void>
}

/** Seconds of what every service gives to runners, where it is to be others than the usual. */
export interface RunnerTimings {
  readonly heartbeat?: number
  readonly lease?: number
  readonly pollWait?: number
}

/** Heartbeats and polls come and go while a test looks. */
export const shortRounds: RunnerTimings = { heartbeat: 0.2, pollWait: 0.5 }

/** And a test can outlast a lease. */
export const shortLeases: RunnerTimings = { ...shortRounds, lease: 5 }

/** Polls wait for longer than a test does, so that what waits for one is never told. */
export const longPolls: RunnerTimings = { pollWait: 60 }

export interface ServiceOptions {
  readonly timings?: RunnerTimings
  /** Keeps what it knows in this directory; it keeps nothing unless given. */
  readonly directory?: string
  readonly environment?: Environment
  readonly args?: ReadonlyArray<string>
}

/** Starts the service on a free port. */
export const startService = async ({
  args = [],
  directory: kept,
  environment,
  timings
}: ServiceOptions = {}): Promise<Service> => {
  const directory = kept ?? (await makeDirectory())
  const started = startProcess({
    args,
    options: timings === undefined ? [] : ["--import", withTimings],
    environment: {
      RUNHOOK_MODE: "development",
      RUNHOOK_STORE: kept === undefined ? "memory" : "postgres",
      RUNHOOK_DEMO: "off",
      RUNHOOK_DATA_DIR: directory,
      RUNHOOK_ADMIN_KEY: adminKey,
      TEST_RUNNER_TIMINGS: JSON.stringify(timings ?? {}),
      ...environment
    }
  })
  const { child, ended, says } = started
  const url = await urlOf(started)
  const api = apiAt(url)
  return {
    ...api,
    url,
    says,
    make: makeBy(api, adminKey),
    async kill() {
      child.kill("SIGKILL")
      await ended
    },
    async [Symbol.asyncDispose]() {
      // What it is to keep, it must be able to put away.
      child.kill(kept === undefined ? "SIGKILL" : "SIGTERM")
      await ended
      if (kept === undefined) await removeDirectory(directory)
    }
  }
}

const shared = new Map<RunnerTimings | undefined, Promise<Service>>()

/**
 * One for all test files of a process that neither stop it nor look beyond accounts of their own, for each timing that
 * they ask for. It ends with the process.
 */
export const sharedService = (timings?: RunnerTimings): Promise<Service> => {
  const service = shared.get(timings) ?? startShared(timings)
  shared.set(timings, service)
  return service
}

const startShared = async (timings: RunnerTimings | undefined): Promise<Service> => {
  const service = await startService(timings && { timings })
  // The signal reaches it before this process is gone.
  const end = () => void service.kill()
  process.once("exit", end)
  // So a worker is ended when its last file is done.
  process.once("SIGTERM", () => {
    end()
    process.kill(process.pid, "SIGTERM")
  })
  return service
}
