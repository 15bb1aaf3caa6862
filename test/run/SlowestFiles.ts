/** Prints the files that a run waited for longest, with the processor time that they took. */
import type { Reporter } from "vitest/node"

const shown = 10

const seconds = (value: number): string => `${value.toFixed(1)} s`.padStart(8)

export class SlowestFiles implements Reporter {
  onTestRunEnd(files: Parameters<NonNullable<Reporter["onTestRunEnd"]>>[0]): void {
    const slowest = files
      .map((file) => ({
        name: file.relativeModuleId,
        duration: file.diagnostic().duration / 1000,
        cpu: file.meta().cpuSeconds ?? 0
      }))
      .toSorted((one, other) => other.duration - one.duration)
      .slice(0, shown)
    if (slowest.length < shown) return
    const rows = slowest.map(({ cpu, duration, name }) => `${seconds(duration)} ${seconds(cpu)}  ${name}`)
    process.stdout.write(
      `\nSlowest files: time, and processor time of the process and its programs\n${rows.join("\n")}\n`
    )
  }
}
