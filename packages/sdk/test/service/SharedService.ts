/** Services for all test files of a process, one for each timing that they ask for, which end with the process. */
import { type RunnerTimings, type Service, startService } from "./Service.ts"

const started = new Map<RunnerTimings | undefined, Promise<Service>>()

/** For files that neither stop it nor look beyond accounts of their own. */
export const sharedService = (timings?: RunnerTimings): Promise<Service> => {
  const service = started.get(timings) ?? start(timings)
  started.set(timings, service)
  return service
}

const start = async (timings: RunnerTimings | undefined): Promise<Service> => {
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
