/** Loaded into a process before anything else: at SIGUSR2 it does what `TEST_FAULT` says. */
const faults: { readonly [name: string]: () => void } = {
  // It takes no turn again, and no processor from others.
  hang: () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  memory: () => {
    const kept: Array<unknown> = []
    for (;;) kept.push(Array.from({ length: 1_000_000 }, () => 0.5))
  }
}

const fault = faults[process.env["TEST_FAULT"] ?? ""]
if (fault !== undefined) process.on("SIGUSR2", fault)
