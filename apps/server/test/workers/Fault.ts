/** Loaded into a process before anything else: at SIGUSR2 it does what `TEST_FAULT` says. */
import { subscribe } from "node:diagnostics_channel"

const faults: { readonly [name: string]: () => void } = {
  // Once it has taken a connection it takes no turn again, and no processor from others.
  hang: () => {
    subscribe("net.server.socket", () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
    process.stderr.write("The next connection hangs it\n")
  },
  memory: () => {
    const kept: Array<unknown> = []
    for (;;) kept.push(Array.from({ length: 1_000_000 }, () => 0.5))
  }
}

const fault = faults[process.env["TEST_FAULT"] ?? ""]
if (fault !== undefined) process.on("SIGUSR2", fault)
