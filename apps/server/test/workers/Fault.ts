/** Loaded into a process before anything else: at SIGUSR2 it does what `TEST_FAULT` says. */
const faults: { readonly [name: string]: () => void } = {
  hang: () => {
    for (;;);
  },
  memory: () => {
    const kept: Array<unknown> = []
    for (;;) kept.push(Array.from({ length: 1_000 }, () => ({})))
  }
}

const fault = faults[process.env["TEST_FAULT"] ?? ""]
if (fault !== undefined) process.on("SIGUSR2", fault)
